package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.options.Ordering;
import org.jspecify.annotations.Nullable;

/**
 * Whose messages are handled one after another.
 *
 * @param tenant whose group it is, or null
 * @param key its key
 */
public record Group(@Nullable String tenant, String key) {

  /** The group of a message, or null if it is in none that matters. */
  public static @Nullable Group of(Message message, Ordering ordering) {
    Routing routing = message.routing();
    String key = routing.groupKey();
    return ordering == Ordering.NONE || key == null ? null : new Group(routing.tenant(), key);
  }
}
