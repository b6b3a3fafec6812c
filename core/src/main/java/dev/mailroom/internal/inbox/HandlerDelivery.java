package dev.mailroom.internal.inbox;

import dev.mailroom.Delivery;
import dev.mailroom.internal.engine.HandlerInvocation;
import dev.mailroom.internal.engine.HandlerTransaction;
import dev.mailroom.internal.engine.HeldLease;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.AtomicCompletion;
import dev.mailroom.spi.Commit;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.List;

/**
 * The delivery of a leased message to its handler.
 *
 * @param payload the decoded payload
 * @param message the message as stored
 * @param lease the lease of the message
 * @param handlerTransaction the transaction of the handler call
 */
record HandlerDelivery(
    Object payload, Message message, HeldLease lease, HandlerTransaction handlerTransaction)
    implements Delivery<Object>, AtomicCompletion {

  static HandlerDelivery of(HandlerInvocation invocation, Object payload, Message message) {
    return new HandlerDelivery(payload, message, invocation.lease(), invocation.transaction());
  }

  @Override
  public Transaction transaction() {
    return handlerTransaction.join();
  }

  @Override
  public void checkpoint(String step, String outcome) {
    handlerTransaction.checkpoint(message.id(), step, outcome);
  }

  @Override
  public List<AppendResult> complete(Commit effects) {
    return handlerTransaction.complete(message.id(), effects);
  }

  @Override
  public Instant leasedAt() {
    return lease.leasedAt();
  }

  @Override
  public boolean isLeaseLost() {
    return lease.isLost();
  }
}
