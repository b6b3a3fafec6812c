package dev.mailroom.internal.engine;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A lease that this process holds, and how many of its messages are not settled yet. */
public final class HeldLease {
  private final UUID token;
  private final Instant leasedAt;
  private final AtomicInteger unsettled;
  private volatile long since;
  private volatile long deadline;
  private volatile boolean lost;
  private volatile boolean givenUp;

  /**
   * A lease just taken.
   *
   * @param before the monotonic time before the store was asked
   */
  HeldLease(UUID token, Instant leasedAt, int messages, long before, Duration duration) {
    this.token = token;
    this.leasedAt = leasedAt;
    this.unsettled = new AtomicInteger(messages);
    renewed(before, duration);
  }

  /** The fence. */
  public UUID token() {
    return token;
  }

  /** When it was taken, by the store's clock. */
  public Instant leasedAt() {
    return leasedAt;
  }

  /** Whether the store has said that somebody else may have the messages. */
  public boolean isLost() {
    return lost;
  }

  void markLost() {
    lost = true;
  }

  /** An outcome of it was given up, so that its message will come again. */
  void giveUp() {
    givenUp = true;
    lost = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** The store has promised the messages for this long, from before it was asked. */
  void renewed(long before, Duration duration) {
    since = before;
    deadline = before + duration.toNanos();
  }

  /** Whether the promise has run out without news. */
  boolean hasRunOut(TimeSource time) {
    return deadline - time.nanos() <= 0;
  }

  /** How long until the given part of the lease has passed; negative if it has. */
  long nanosUntil(double part, TimeSource time) {
    return since + (long) ((deadline - since) * part) - time.nanos();
  }

  /** So many messages less; true if none is left. */
  boolean settled(int messages) {
    return unsettled.addAndGet(-messages) == 0;
  }
}
