package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks dispatchers, and holds them to what they must answer. */
final class Answers {
  private Answers() {}

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
}
