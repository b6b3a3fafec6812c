package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import org.jspecify.annotations.Nullable;

/** One message in one lease. */
final class LeasedMessage {

  /** The outcome that follows from the handler's result. */
  enum ExpectedOutcome {
    COMPLETE,
    /** Retried after the back-off. */
    RETRY,
    /** Retried when the handler asked for it. */
    DEFER,
    DIE
  }

  final SimulatedLease lease;
  final SimulatedMessage message;

  /** The object that the claim returned; its identity shows under which lease a handler got it. */
  final Message stored;

  /** Neither settled, released nor reclaimed. */
  boolean open = true;

  /** The number of the handler call it was part of; 0 until then. */
  long call;

  @Nullable ExpectedOutcome expected;

  LeasedMessage(SimulatedLease lease, SimulatedMessage message, Message stored) {
    this.lease = lease;
    this.message = message;
    this.stored = stored;
  }

  boolean isStarted() {
    return call != 0;
  }

  /** The message is no longer held. */
  void close() {
    open = false;
    message.leased = null;
  }

  @Override
  public String toString() {
    return message + "/" + lease;
  }
}
