package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.Payload;
import dev.mailroom.transactions.Transaction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A timeout that is due, as its destination gets it. Confined to the destination's thread. */
public final class FiredTimeout extends StoredTimeout {
  private final Delivery<Payload> delivery;
  private @Nullable MailroomException unreadable;

  FiredTimeout(Delivery<Payload> delivery, Function<Payload, Object> decoder) {
    super(delivery.message(), decoder);
    this.delivery = delivery;
  }

  /** Which attempt this is, from 1. */
  public int attempt() {
    return delivery.attempt();
  }

  /**
   * The transaction in which the timeout will be completed: what is written in it is committed with
   * that, or not at all. See {@link Delivery#transaction}.
   *
   * @throws UnsupportedOperationException if the timeouts' store has no transactions
   */
  public Transaction transaction() {
    return delivery.transaction();
  }

  /** The delivery of its message: lease, checkpoints. */
  public Delivery<Payload> delivery() {
    return delivery;
  }

  @Override
  Object decode(Payload payload) {
    try {
      return super.decode(payload);
    } catch (MailroomException error) {
      unreadable = error;
      throw error;
    }
  }

  /** Whether this error says that its payload could not be decoded. */
  boolean isUnreadable(MailroomException error) {
    return unreadable == error;
  }
}
