package dev.mailroom;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A batch handler's answer per message. Not thread-safe. */
public final class BatchResult {
  static final BatchResult ALL_SUCCEEDED = new BatchResult();

  private final Map<UUID, Result> byId = new HashMap<>();

  BatchResult() {}

  /** Answers for one message; the last answer for a message counts. */
  public BatchResult add(Delivery<?> delivery, Result result) {
    return add(delivery.id(), result);
  }

  /** Answers for one message by its id; the last answer for a message counts. */
  public BatchResult add(UUID id, Result result) {
    if (this == ALL_SUCCEEDED) {
      throw new IllegalStateException(
          "allSucceeded() is an answer for the whole batch: start with results() instead.");
    }
    byId.put(id, result);
    return this;
  }

  /** Whether this says that every message was handled. */
  public boolean isAllSucceeded() {
    return this == ALL_SUCCEEDED;
  }

  /** The answers by message; empty if {@link #isAllSucceeded}. */
  public Map<UUID, Result> byId() {
    return byId;
  }
}
