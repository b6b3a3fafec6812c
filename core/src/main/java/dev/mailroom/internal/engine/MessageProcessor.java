package dev.mailroom.internal.engine;

import dev.mailroom.Message;
import dev.mailroom.spi.Outcome;
import java.util.List;

/**
 * The seam between the engine and the facades: given leased messages, says what became of them.
 * Never throws. Called by many threads at once.
 */
public interface MessageProcessor {

  /** Whether {@link #handleBatch} is called instead of {@link #handle}. */
  boolean batched();

  /** Handles one message. */
  Outcome handle(Message message, Call call);

  /**
   * Handles messages of one contract together; answers in their order, for all of them or for a
   * beginning of them, at least one. In the turn of a group nothing is answered behind what holds
   * up the rest.
   */
  List<Outcome> handleBatch(List<Message> messages, Call call);

  /** Whether any of its handlers has a time limit, so that somebody must watch. */
  boolean timed();
}
