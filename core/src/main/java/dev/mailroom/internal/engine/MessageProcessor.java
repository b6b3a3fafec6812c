package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Outcome;
import java.util.List;

/**
 * The seam between the engine and the facades: given leased messages, says what became of them.
 * Never throws. Called by many threads at once.
 */
public interface MessageProcessor {

  /** How many messages it is given at once. */
  Batching batching();

  /** Whether {@link #handleBatch} is called instead of {@link #handle}. */
  default boolean batched() {
    return batching() != Batching.NONE;
  }

  /** How messages are put together for one call. */
  enum Batching {
    /** One by one. */
    NONE,
    /** Messages of one contract and, where there is order, of one group. */
    PER_CONTRACT,
    /** Whatever was leased together; the messages of one group in order. */
    MIXED
  }

  /** Handles one message. */
  Outcome handle(Message message, Call call);

  /**
   * Handles messages together; answers in their order. Messages of one contract: for all of them or
   * for a beginning of them, at least one; in the turn of a group nothing is answered behind what
   * holds up the rest. Mixed ones: for all of them; what is held up in its group is released.
   */
  List<Outcome> handleBatch(List<Message> messages, Call call);

  /** Whether any of its handlers has a time limit, so that somebody must watch. */
  boolean timed();
}
