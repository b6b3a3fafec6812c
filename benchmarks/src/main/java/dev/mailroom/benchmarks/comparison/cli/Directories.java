package dev.mailroom.benchmarks.comparison.cli;

import java.nio.file.Path;

/** Where things lie in a clone, whose root the script names. */
final class Directories {
  private Directories() {}

  static Path docs() {
    return root().resolve("docs");
  }

  /** The committed runs and the charts of the page. */
  static Path published() {
    return docs().resolve("benchmarks");
  }

  /** One that no other run has, named by its start. */
  static Path fresh(String started) {
    return root().resolve("benchmarks/target/comparison").resolve(started.replace(':', '-'));
  }

  private static Path root() {
    return Path.of(System.getProperty("mailroom.root", ""));
  }
}
