package dev.mailroom;

import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages handed to a handler together, all of one contract unless it is a relay.
 *
 * @param groupKey the group they all belong to, in order; null in an unordered batch and in that of
 *     a relay, where each delivery has its own
 * @param deliveries the messages, at least one
 * @param <T> the payload's type
 */
public record Batch<T>(@Nullable String groupKey, List<Delivery<T>> deliveries) {

  /** How many messages there are. */
  public int size() {
    return deliveries.size();
  }

  /** The payloads, in the order of the deliveries; a new list. */
  public List<T> payloads() {
    List<T> payloads = new ArrayList<>(deliveries.size());
    deliveries.forEach(delivery -> payloads.add(delivery.payload()));
    return payloads;
  }

  /**
   * The transaction in which all messages of the batch will be completed, begun by the first call;
   * see {@link Delivery#transaction}. A single answer other than success rolls it back: messages
   * answered with success are then given back untouched, the others become what was answered.
   */
  public Transaction transaction() {
    return deliveries.get(0).transaction();
  }

  /** The answer that every message was handled. */
  public BatchResult allSucceeded() {
    return BatchResult.ALL_SUCCEEDED;
  }

  /** Starts an answer per message. */
  public BatchResult results() {
    return new BatchResult();
  }
}
