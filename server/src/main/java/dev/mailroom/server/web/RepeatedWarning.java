package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.function.LongFunction;
import org.slf4j.Logger;

/**
 * A warning that can be due thousands of times a second. The first is logged at once; the following
 * ones are counted, and their number is logged once a minute. Thread-safe.
 */
final class RepeatedWarning {
  private static final long PERIOD = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final TimeSource time;
  private final LongFunction<String> text;
  private long unsaid;
  private boolean said;
  private long saidAt;

  /**
   * A warning.
   *
   * @param text what is logged, for the number of times that it is due
   */
  RepeatedWarning(Logger log, TimeSource time, LongFunction<String> text) {
    this.log = log;
    this.time = time;
    this.text = text;
  }

  /** It is due once more. */
  synchronized void add() {
    unsaid++;
    flush();
  }

  /** Logs what is still to be logged, unless that was done within the last minute. */
  synchronized void flush() {
    long now = time.nanos();
    if (unsaid > 0 && (!said || now - saidAt >= PERIOD)) {
      log.warn(text.apply(unsaid));
      unsaid = 0;
      said = true;
      saidAt = now;
    }
  }
}
