package dev.mailroom.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows where events go: a table of an application, such as that of its customers' webhooks. Called
 * concurrently, for every event that is added and for every one that is posted: an implementation
 * is thread-safe.
 */
@FunctionalInterface
public interface Endpoints {

  /**
   * The endpoint for a topic; empty if there is none.
   *
   * @param topic the event's topic, or null if it has none
   */
  Optional<Endpoint> find(@Nullable String topic);
}
