package dev.mailroom.storetestkit.simulation;

import org.jspecify.annotations.Nullable;

/**
 * A deduplication key that was accepted. Its window ends between two times: a transaction may count
 * it from the write or from the commit.
 */
final class UsedDeduplicationKey {
  final SimulatedMessage message;
  final @Nullable UsedDeduplicationKey former;
  final long firstEnd;
  long lastEnd;

  UsedDeduplicationKey(
      SimulatedMessage message,
      @Nullable UsedDeduplicationKey former,
      long firstEnd,
      long lastEnd) {
    this.message = message;
    this.former = former;
    this.firstEnd = firstEnd;
    this.lastEnd = lastEnd;
  }

  boolean isSurelyTaken(long now) {
    return now < firstEnd;
  }

  boolean isPerhapsTaken(long now) {
    return now <= lastEnd;
  }
}
