package dev.mailroom.outbox.spi;

import dev.mailroom.messages.Contract;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Dispatcher} that knows beforehand where it can publish: an event for anywhere else is
 * refused when it is added, and the transaction that adds it can still be rolled back.
 */
public interface KnowsTopics {

  /**
   * Refuses an event that could not be published.
   *
   * @param topic its topic, or null if it has none
   * @param contract what it is
   * @throws dev.mailroom.errors.InvalidMessageException naming what is wrong and what is known
   */
  void requireKnown(@Nullable String topic, Contract contract);
}
