package dev.mailroom.internal.inbox;

import dev.mailroom.Delivery;
import dev.mailroom.internal.engine.Call;
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
 * A delivery by the engine.
 *
 * @param payload the decoded payload
 * @param message the message as stored
 * @param lease the lease it is handled under
 * @param own the transaction of its handler's call
 */
record Handed(Object payload, Message message, HeldLease lease, HandlerTransaction own)
    implements Delivery<Object>, AtomicCompletion {

  static Handed by(Call call, Object payload, Message message) {
    return new Handed(payload, message, call.lease(), call.transaction());
  }

  @Override
  public Transaction transaction() {
    return own.join();
  }

  @Override
  public void checkpoint(String step, String outcome) {
    own.checkpoint(message.id(), step, outcome);
  }

  @Override
  public List<AppendResult> complete(Commit effects) {
    return own.complete(message.id(), effects);
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
