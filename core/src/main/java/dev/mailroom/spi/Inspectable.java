package dev.mailroom.spi;

import dev.mailroom.Message;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store that can be looked into. */
public interface Inspectable {

  /** How many messages a channel holds, by state. */
  Counts counts(Channel channel);

  /** The message and its state, or null if the store does not hold it. */
  @Nullable Found find(Channel channel, UUID id);

  /**
   * How many messages a channel holds.
   *
   * @param ready due, or waiting behind another of their group
   * @param scheduled visible at a later time
   * @param leased held by a worker
   * @param dead dead letters
   * @param oldestDue how long the oldest ready message has been due; null if none is ready
   */
  record Counts(long ready, long scheduled, long leased, long dead, @Nullable Duration oldestDue) {}

  /**
   * A message and its state.
   *
   * @param message the message
   * @param state where it stands
   */
  record Found(Message message, State state) {}

  /** Where a message stands. */
  enum State {
    /** Due, or waiting behind another of its group. */
    READY,
    /** Visible at a later time. */
    SCHEDULED,
    /** Held by a worker. */
    LEASED,
    /** A dead letter. */
    DEAD,
    /** Completed and kept as history. */
    COMPLETED
  }
}
