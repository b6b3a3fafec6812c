package dev.mailroom;

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

  /**
   * Whether the lease is known to be lost: another worker may be handling the message already, and
   * this handler's outcome will be refused. A long handler looks here now and then.
   */
  boolean isLeaseLost();

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
