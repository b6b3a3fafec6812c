package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Outcome;
import java.util.List;

/**
 * The boundary between the engine and the handlers: takes leased messages, returns their outcomes.
 * Never throws. Thread-safe.
 */
public interface MessageProcessor {

  /** How messages are batched. */
  Batching batching();

  /** Whether {@link #handleBatch} is called instead of {@link #handle}. */
  default boolean batched() {
    return batching() != Batching.NONE;
  }

  /** How messages are combined for one call. */
  enum Batching {
    /** One by one. */
    NONE,
    /** Messages of one contract and, in an ordered channel, of one group. */
    PER_CONTRACT,
    /** All messages of a lease; the messages of one group in order. */
    MIXED
  }

  /** Handles one message. */
  Outcome handle(Message message, HandlerInvocation invocation);

  /**
   * Handles messages together; returns outcomes in their order. For messages of one contract: the
   * outcomes of all of them or of a prefix, at least one; within a group the prefix ends with the
   * first message that blocks the rest. For mixed messages: the outcomes of all of them; a message
   * that is blocked in its group is released.
   */
  List<Outcome> handleBatch(List<Message> messages, HandlerInvocation invocation);

  /** Whether any of its handlers has a timeout. */
  boolean timed();
}
