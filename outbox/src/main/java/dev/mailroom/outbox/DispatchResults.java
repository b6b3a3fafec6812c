package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks dispatchers, and holds them to what they must answer. */
final class DispatchResults {
  private DispatchResults() {}

  static List<@Nullable Result> of(BatchDispatcher dispatcher, List<OutboxMessage> messages)
      throws Exception {
    List<@Nullable Result> answers = dispatcher.dispatchAll(messages);
    if (answers.size() != messages.size()) {
      throw new IllegalStateException(
          dispatcher.getClass().getName()
              + " answered "
              + answers.size()
              + " times for "
              + messages.size()
              + " events: it must answer once for each, in their order.");
    }
    return answers;
  }

  /**
   * The same, with an answer for each event that was left out because one of its key before it was
   * not published. If the key is blocked it is redelivered, whatever was answered. If not, since
   * that one was dead-lettered or the outbox keeps no order, then it has not failed: it was not
   * tried.
   */
  static List<@Nullable Result> completed(
      List<OutboxMessage> messages, List<@Nullable Result> answers) {
    List<@Nullable Result> completed = new ArrayList<>(answers);
    Map<EventKey, Result> unpublished = new HashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      EventKey key = EventKey.of(messages.get(i));
      Result answer = answers.get(i);
      if (key == null || (answer != null && answer.isSuccess())) {
        continue;
      }
      if (answer != null) {
        unpublished.putIfAbsent(key, answer);
      } else if (unpublished.containsKey(key)) {
        completed.set(i, behind(unpublished.get(key)));
      }
    }
    return completed;
  }

  /** What its own dispatcher cannot do at the moment is not asked of it sooner. */
  private static Result behind(Result before) {
    return before.outcome() instanceof HandlerOutcome.Deferred
        ? before
        : Result.retryLater(HandlerOutcome.SHORTEST_RETRY);
  }
}
