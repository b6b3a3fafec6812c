package dev.mailroom.internal.inbox;

import dev.mailroom.Delivery;
import dev.mailroom.Message;
import dev.mailroom.internal.engine.HeldLease;

/**
 * A delivery by the engine.
 *
 * @param payload the decoded payload
 * @param message the message as stored
 * @param lease the lease it is handled under
 */
record Handed(Object payload, Message message, HeldLease lease) implements Delivery<Object> {

  @Override
  public boolean isLeaseLost() {
    return lease.isLost();
  }
}
