package dev.mailroom.benchmarks.postgres;

/** What can be set from outside, by system properties. */
final class Settings {

  /** A number, or its default if none is given. */
  int number(String name, int otherwise) {
    String value = text(name);
    return value.isEmpty() ? otherwise : Integer.parseInt(value);
  }

  /** A text; empty if none is given. */
  String text(String name) {
    String value = System.getProperty(name, "");
    // What is not set on Maven's command line arrives here as it stands in its configuration.
    return value.startsWith("${") ? "" : value;
  }

  /** Whether this contender is to run: all are, unless {@code only} says how names begin. */
  boolean isWanted(String contender) {
    String only = text("only");
    if (only.isEmpty()) {
      return true;
    }
    for (String part : only.split(";", -1)) {
      if (contender.startsWith(part)) {
        return true;
      }
    }
    return false;
  }
}
