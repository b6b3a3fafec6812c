package dev.mailroom.benchmarks.comparison.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions that the build has put on the class path. */
final class Versions {
  private static final String FILE = "versions.properties";

  private Versions() {}

  static String of(String library) {
    Properties versions = new Properties();
    try (InputStream file = Versions.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(FILE + " is missing; build the module with Maven");
      }
      versions.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = versions.getProperty(library);
    if (version == null) {
      throw new IllegalArgumentException(FILE + " has no version of " + library);
    }
    return version;
  }
}
