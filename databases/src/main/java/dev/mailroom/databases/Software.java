package dev.mailroom.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.stream.Stream;

/** A server's programs, unpacked once for all JVMs of a user, since that takes seconds. */
final class Software {
  private static final String COUNT = ".count";

  private Software() {}

  /** Writes the files of some software into an empty directory. */
  interface Source {
    void unpack(Path directory) throws IOException;
  }

  /**
   * The directory with the software.
   *
   * @param name its name and exact version: what is there under this name is not unpacked again
   */
  static Path install(String name, Source source) {
    requireLinux();
    Path home = Workspace.current().shared().resolve(name);
    try {
      if (!isComplete(home)) {
        Path fresh = Workspace.current().newDirectory("unpack");
        source.unpack(fresh);
        openDirectories(fresh);
        Files.writeString(fresh.resolve(COUNT), Long.toString(count(fresh) + 1));
        replace(home, fresh);
      }
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot unpack " + name, e);
    }
  }

  /** Writes a file that every user may read, and run if it is a program, whatever our umask is. */
  static void write(InputStream content, Path file, boolean program) throws IOException {
    Files.createDirectories(file.getParent());
    Files.copy(content, file);
    String permissions = program ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  /** Directories, too, are for every user to enter. */
  private static void openDirectories(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path directory : files.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  /** Systems that empty the directory for temporary files of old ones may have taken a part. */
  private static boolean isComplete(Path home) throws IOException {
    Path expected = home.resolve(COUNT);
    return Files.exists(expected)
        && Long.parseLong(Files.readString(expected).strip()) == count(home);
  }

  private static long count(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files.filter(file -> !Files.isDirectory(file)).count();
    }
  }

  private static void replace(Path home, Path fresh) throws IOException {
    if (Files.exists(home) && !isComplete(home)) {
      Path damaged = Workspace.current().newDirectory("damaged").resolve("software");
      Files.move(home, damaged, StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another JVM was faster, which is as good.
      if (!isComplete(home)) {
        throw e;
      }
    }
  }

  private static void requireLinux() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch");
    if (!system.contains("linux") || !processor.equals("amd64")) {
      throw new IllegalStateException(
          "There are servers for Linux on amd64 only, not for %s on %s; %s and %s name running ones"
              .formatted(system, processor, PostgresServer.OUTSIDE, MariaDbServer.OUTSIDE));
    }
  }
}
