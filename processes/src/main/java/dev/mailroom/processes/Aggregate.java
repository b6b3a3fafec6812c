package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.messages.Payload;
import java.time.Instant;
import java.util.List;

/**
 * Messages that were collected under one key.
 *
 * @param key the key
 * @param messages what was collected, in order
 * @param since when the first of them was collected, by the store's clock
 * @param delivery the batch as it is stored: its id, tenant and counts
 * @param <T> the messages' type
 */
public record Aggregate<T>(
    String key, List<T> messages, Instant since, Delivery<Payload> delivery) {
  /** Copies the list. */
  public Aggregate {
    messages = List.copyOf(messages);
  }
}
