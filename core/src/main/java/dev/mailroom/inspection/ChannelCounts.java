package dev.mailroom.inspection;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many messages a channel holds. A store counts only so far, so that asking costs the same
 * however many there are; beyond that it says how many there are at least.
 *
 * @param ready due, or waiting behind another of their group
 * @param scheduled visible at a later time
 * @param leased held by a worker
 * @param dead dead letters
 * @param completed kept as history
 * @param atLeast the states in which there may be more than the figure says
 * @param oldestDue how long the oldest ready message has been due, or, where there may be more
 *     ready messages than were counted, the oldest of those that come next; null if none is ready
 */
public record ChannelCounts(
    long ready,
    long scheduled,
    long leased,
    long dead,
    long completed,
    Set<MessageState> atLeast,
    @Nullable Duration oldestDue) {

  /** Copies the states. */
  public ChannelCounts {
    atLeast = Set.copyOf(atLeast);
  }

  /** How many there are in that state; see {@link #atLeast}. */
  public long in(MessageState state) {
    return switch (state) {
      case READY -> ready;
      case SCHEDULED -> scheduled;
      case LEASED -> leased;
      case DEAD -> dead;
      case COMPLETED -> completed;
    };
  }
}
