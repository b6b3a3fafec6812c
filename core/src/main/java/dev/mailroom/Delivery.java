package dev.mailroom;

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
