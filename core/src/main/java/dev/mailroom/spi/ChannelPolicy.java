package dev.mailroom.spi;

import dev.mailroom.errors.Violations;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Defaults;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store decides by itself for a channel.
 *
 * @param afterDeadLetter what becomes of a group whose head is dead-lettered
 * @param crashes when messages that crash their worker are retried and dead-lettered
 * @param deduplicationWindow how long a deduplication key is remembered; null means for ever, and
 *     zero that it only names its message and keeps no other away
 * @param keepDeadLetters false discards messages that run out of attempts, crashes or lifetime
 * @param deadLetterLifetime how long dead letters are kept; null means for ever
 * @param history how long completed messages are kept; null means they are removed at once
 */
public record ChannelPolicy(
    AfterDeadLetter afterDeadLetter,
    Crashes crashes,
    @Nullable Duration deduplicationWindow,
    boolean keepDeadLetters,
    @Nullable Duration deadLetterLifetime,
    @Nullable Duration history) {

  private static final ChannelPolicy DEFAULTS =
      new ChannelPolicy(
          AfterDeadLetter.CONTINUE,
          new Crashes(Defaults.CRASHES, Defaults.CRASH_BACKOFF),
          Defaults.DEDUPLICATION_WINDOW,
          true,
          null,
          null);

  /** Checks the durations and reports every violation at once. */
  public ChannelPolicy {
    Objects.requireNonNull(afterDeadLetter, "afterDeadLetter");
    Objects.requireNonNull(crashes, "crashes");
    Violations violations = new Violations("ChannelPolicy");
    violations.check(
        deduplicationWindow == null || !deduplicationWindow.isNegative(),
        "deduplicationWindow",
        deduplicationWindow,
        "must not be negative");
    violations.positiveOrNull("deadLetterLifetime", deadLetterLifetime);
    violations.positiveOrNull("history", history);
    violations.raise();
  }

  /** All defaults. */
  public static ChannelPolicy defaults() {
    return DEFAULTS;
  }

  /**
   * What happens to messages whose lease expires.
   *
   * @param limit at this many crashes the next claim dead-letters the message; at least 1
   * @param backoff how long a message waits after a crash; its jitter is ignored
   */
  public record Crashes(int limit, Backoff backoff) {
    /** Checks the limit. */
    public Crashes {
      Objects.requireNonNull(backoff, "backoff");
      Violations violations = new Violations("Crashes");
      violations.positive("limit", limit);
      violations.raise();
    }
  }
}
