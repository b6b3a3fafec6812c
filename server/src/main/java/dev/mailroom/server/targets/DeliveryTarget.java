package dev.mailroom.server.targets;

import dev.mailroom.messages.Message;
import org.jspecify.annotations.Nullable;

/** Delivers messages. Thread-safe. */
public interface DeliveryTarget extends AutoCloseable {

  /**
   * Delivers one message.
   *
   * @param attempt which attempt this is, from 1
   * @throws Exception if it fails; the message is retried
   */
  DeliveryResult deliver(Message message, int attempt) throws Exception;

  /** Why it takes no messages until a person enables it, or null if it is enabled. */
  default @Nullable String disabledReason() {
    return null;
  }

  /** Takes messages again. */
  default void enable() {}

  /** Closes what it holds, after the last delivery. */
  @Override
  default void close() {}
}
