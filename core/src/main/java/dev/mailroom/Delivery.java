package dev.mailroom;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Message;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message in a handler's hands.
 *
 * @param <T> the payload's type
 */
public interface Delivery<T> {

  /** The decoded payload, upgraded to the version the handler was registered for. */
  T payload();

  /** The message as the store holds it: routing, timing, counts, tracing. */
  Message message();

  /** When it was leased, by the store's clock. */
  Instant leasedAt();

  /**
   * Whether the lease is known to be lost: another worker may be handling the message already, and
   * this handler's outcome will be refused. A long handler looks here now and then.
   */
  boolean isLeaseLost();

  /**
   * The transaction in which this message will be completed, begun by the first call. What the
   * handler writes in it is committed together with the message's completion, or not at all: if the
   * handler answers anything but success, throws, or has lost its lease, it is rolled back. The
   * deliveries of one batch share it.
   *
   * <p>Only for the thread that runs the handler, and only until that returns; the engine ends it.
   *
   * @throws UnsupportedOperationException if the inbox's store has no transactions
   * @throws IllegalStateException if the handler has returned, or on another thread
   */
  Transaction transaction();

  /**
   * Keeps progress in the middle of the handling: when this returns it is stored, and the next
   * handler of the message, after a failure, a crash or a redrive, finds it in {@link
   * Message#checkpoints}. Recording a step again replaces its outcome. {@link #message} still shows
   * what there was when the message was leased.
   *
   * @param step the step's stable name, at most {@link dev.mailroom.messages.Limits#KEY_LENGTH}
   *     characters; a message has at most {@link dev.mailroom.messages.Limits#CHECKPOINTS} steps
   * @param outcome what became of it, at most as long
   * @throws LeaseLostException if another worker may have the message; nothing was recorded
   * @throws TransientStoreException if the store failed and repeating did not help
   * @throws IllegalStateException if the handler has begun its {@link #transaction}, which the
   *     checkpoint would not be part of; if it has returned; or on another thread
   */
  void checkpoint(String step, String outcome);

  /** The message's identity: the key to make side effects idempotent. */
  default UUID id() {
    return message().id();
  }

  /** Which attempt this is, from 1. */
  default int attempt() {
    return message().progress().attempts();
  }

  /** The group it belongs to, or null. */
  default @Nullable String groupKey() {
    return message().routing().groupKey();
  }

  /** The headers it was written with. */
  default Map<String, String> headers() {
    return message().envelope().headers();
  }
}
