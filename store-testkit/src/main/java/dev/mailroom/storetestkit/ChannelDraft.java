package dev.mailroom.storetestkit;

import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Defaults;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A channel for a test; see {@link TestMessages#channel}. Not thread-safe. */
public final class ChannelDraft {
  private final String name;
  private Ordering ordering = Ordering.WHEN_KEYED;
  private AfterDeadLetter afterDeadLetter = AfterDeadLetter.CONTINUE;
  private int crashLimit = Defaults.CRASHES;
  private Backoff crashBackoff = Defaults.CRASH_BACKOFF;
  private @Nullable Duration deduplicationWindow = Defaults.DEDUPLICATION_WINDOW;
  private boolean keepDeadLetters = true;
  private @Nullable Duration deadLetterLifetime;
  private @Nullable Duration history;

  ChannelDraft(String name) {
    this.name = name;
  }

  /** Whether groups are handled in order; when keyed unless given. */
  public ChannelDraft ordering(Ordering other) {
    this.ordering = other;
    return this;
  }

  /** A group whose head is dead waits. */
  public ChannelDraft parking() {
    this.afterDeadLetter = AfterDeadLetter.PARK;
    return this;
  }

  /** The number of crashes at which a message is dead-lettered. */
  public ChannelDraft crashLimit(int limit) {
    this.crashLimit = limit;
    return this;
  }

  /** How long a message waits after a crash. */
  public ChannelDraft crashBackoff(Backoff backoff) {
    this.crashBackoff = backoff;
    return this;
  }

  /** How long a deduplication key is remembered; null means without end. */
  public ChannelDraft deduplicationWindow(@Nullable Duration window) {
    this.deduplicationWindow = window;
    return this;
  }

  /** TestMessages that die are discarded. */
  public ChannelDraft withoutDeadLetters() {
    this.keepDeadLetters = false;
    return this;
  }

  /** How long dead letters are kept. Default: without end. */
  public ChannelDraft deadLetterLifetime(Duration lifetime) {
    this.deadLetterLifetime = lifetime;
    return this;
  }

  /** How long completed messages are kept; not at all unless given. */
  public ChannelDraft history(Duration duration) {
    this.history = duration;
    return this;
  }

  /** The channel. */
  public Channel build() {
    return new Channel(
        name,
        ordering,
        new ChannelPolicy(
            afterDeadLetter,
            new ChannelPolicy.Crashes(crashLimit, crashBackoff),
            deduplicationWindow,
            keepDeadLetters,
            deadLetterLifetime,
            history));
  }
}
