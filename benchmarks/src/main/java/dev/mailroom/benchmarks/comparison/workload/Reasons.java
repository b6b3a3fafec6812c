package dev.mailroom.benchmarks.comparison.workload;

import java.util.Objects;

/** Why something broke, in one line. */
final class Reasons {
  private static final int LONGEST = 200;

  private Reasons() {}

  /** What the first cause says of itself; a broken promise speaks for itself. */
  static String of(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < 20 && cause.getCause() != null; i++) {
      cause = Objects.requireNonNull(cause.getCause());
    }
    String message =
        Objects.requireNonNullElse(cause.getMessage(), "").lines().findFirst().orElse("");
    String text =
        cause instanceof BrokenPromiseException
            ? message
            : cause.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
