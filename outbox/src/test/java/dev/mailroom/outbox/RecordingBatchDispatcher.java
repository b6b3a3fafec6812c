package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records the batches it is given, and answers as it was set up. */
final class RecordingBatchDispatcher implements BatchDispatcher {
  final List<String> calls;
  final Map<String, Result> answers = new HashMap<>();
  Exception error;
  int missing;

  RecordingBatchDispatcher() {
    this(new ArrayList<>());
  }

  RecordingBatchDispatcher(List<String> calls) {
    this.calls = calls;
  }

  @Override
  public List<Result> dispatchAll(List<OutboxMessage> messages) throws Exception {
    calls.add(String.join(" ", messages.stream().map(OutboxFixture::text).toList()));
    if (error != null) {
      throw error;
    }
    List<Result> results = new ArrayList<>();
    for (OutboxMessage message : messages.subList(missing, messages.size())) {
      results.add(answers.getOrDefault(OutboxFixture.text(message), Result.success()));
    }
    return results;
  }
}
