package dev.mailroom.outbox;

import dev.mailroom.outbox.spi.OutboxMessage;
import org.jspecify.annotations.Nullable;

/** Events with one key, of one tenant, are published in their order. */
record EventKey(@Nullable String tenant, String name) {

  /** The event's, or null if it has none. */
  static @Nullable EventKey of(OutboxMessage message) {
    String key = message.key();
    return key == null ? null : new EventKey(message.tenant(), key);
  }
}
