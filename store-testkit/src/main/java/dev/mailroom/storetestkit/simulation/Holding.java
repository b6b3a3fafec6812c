package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import org.jspecify.annotations.Nullable;

/** One message in one lease. */
final class Holding {

  /** What the handler's answer means for the message. */
  enum Verdict {
    COMPLETE,
    /** Again after the back-off. */
    RETRY,
    /** Again when the handler said. */
    DEFER,
    DIE
  }

  final SimulatedLease lease;
  final SimulatedMessage message;

  /** The very object that the store answered with: it says under which lease a handler got it. */
  final Message stored;

  /** Neither settled nor taken away. */
  boolean open = true;

  /** The number of the handler call it was part of; 0 until then. */
  long call;

  @Nullable Verdict verdict;

  Holding(SimulatedLease lease, SimulatedMessage message, Message stored) {
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
    message.holding = null;
  }

  @Override
  public String toString() {
    return message + "/" + lease;
  }
}
