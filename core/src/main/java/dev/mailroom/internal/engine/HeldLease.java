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
   * A new lease.
   *
   * @param before the monotonic time before the call to the store
   */
  HeldLease(UUID token, Instant leasedAt, int messages, long before, Duration duration) {
    this.token = token;
    this.leasedAt = leasedAt;
    this.unsettled = new AtomicInteger(messages);
    renewed(before, duration);
  }

  /** The fencing token. */
  public UUID token() {
    return token;
  }

  /** When it was granted, by the store's clock. */
  public Instant leasedAt() {
    return leasedAt;
  }

  /** Whether the store has reported it as lost: another worker may have the messages. */
  public boolean isLost() {
    return lost;
  }

  void markLost() {
    lost = true;
  }

  /** An outcome could not be stored, so its message will be redelivered. */
  void giveUp() {
    givenUp = true;
    lost = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** The store has granted it for this duration, measured from before the call. */
  void renewed(long before, Duration duration) {
    since = before;
    deadline = before + duration.toNanos();
  }

  /** Whether it has expired by the monotonic clock. */
  boolean hasRunOut(TimeSource time) {
    return deadline - time.nanos() <= 0;
  }

  /** The time until this fraction of the lease has passed; negative if it has. */
  long nanosUntil(double part, TimeSource time) {
    return since + (long) ((deadline - since) * part) - time.nanos();
  }

  /** Subtracts settled messages; true if none is left. */
  boolean settled(int messages) {
    return unsettled.addAndGet(-messages) == 0;
  }
}
