package dev.mailroom.benchmarks.comparison;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/** Results that nobody has measured, to test what is made of results. */
public final class MadeUp {
  private MadeUp() {}

  /** The file of the first run; a second one and a snapshot lie beside it. */
  public static Path first() {
    return file("results.json");
  }

  /** Mailroom drains at 0.7 of the first one's rate. */
  public static Path second() {
    return file("results-2.json");
  }

  private static Path file(String name) {
    URL resource = MadeUp.class.getResource("/made-up/" + name);
    try {
      return Path.of(Objects.requireNonNull(resource).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
