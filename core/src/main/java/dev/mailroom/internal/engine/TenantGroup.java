package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.options.Ordering;
import org.jspecify.annotations.Nullable;

/**
 * A group of messages that are handled in order.
 *
 * @param tenant its tenant, or null
 * @param key its key
 */
public record TenantGroup(@Nullable String tenant, String key) {

  /** The group of a message, or null if the message has none or the channel is unordered. */
  public static @Nullable TenantGroup of(Message message, Ordering ordering) {
    Routing routing = message.routing();
    String key = routing.groupKey();
    return ordering == Ordering.NONE || key == null ? null : new TenantGroup(routing.tenant(), key);
  }
}
