package dev.mailroom.jdbc;

import dev.mailroom.time.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The watermarks of a store's lines: of each channel, of its tenants, and of its turns. */
final class Watermarks {
  /** Beyond this many lines claims begin at the start. */
  private static final int MOST_LINES = 10_000;

  private final TimeSource clock;
  private final Map<Key, Watermark> marks = new ConcurrentHashMap<>();

  private record Key(int channel, @Nullable String tenant, boolean ordered) {}

  /**
   * None yet.
   *
   * @param clock tells how long a look takes, and when the next one is due
   */
  Watermarks(TimeSource clock) {
    this.clock = clock;
  }

  /** The one of the messages that a claim is after, or of the turns. */
  Watermark of(Claiming claim, boolean ordered) {
    if (marks.size() > MOST_LINES) {
      marks.clear();
    }
    return marks.computeIfAbsent(
        new Key(claim.line.id(), claim.request.tenant(), ordered),
        key -> new Watermark(clock.nanos()));
  }

  /** Whether there is something behind the mark; if it is to wait, the claim is made again then. */
  boolean mayLookBack(Claiming claim, Watermark mark) {
    if (mark.behind().isEmpty()) {
      return false;
    }
    long left = mark.restLeft(clock.nanos());
    if (left > 0) {
      claim.comeAgain(micros(left));
    }
    return left == 0;
  }

  static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }
}
