package dev.mailroom.outbox;

import dev.mailroom.Inbox;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An outbox of texts over the in-memory store, on a manual clock. Failures are retried after a
 * second, three times in all.
 */
final class OutboxFixture {
  static final Duration SECOND = Duration.ofSeconds(1);

  final ManualTime time = new ManualTime();
  final MemoryStore store = MemoryStore.builder().time(time).build();
  final Outbox outbox;
  final Mailroom mailroom;
  Transaction current;

  OutboxFixture(Dispatcher dispatcher) {
    this(dispatcher, options -> {});
  }

  OutboxFixture(Dispatcher dispatcher, Consumer<InboxOptionsBuilder> more) {
    RetryPolicy retry =
        RetryPolicy.builder().attempts(3).backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    outbox =
        Outbox.builder()
            .dispatcher(dispatcher)
            .options(options -> more.accept(options.retry(retry)))
            .build();
    mailroom =
        Mailroom.builder()
            .store(store)
            .time(time)
            .maximumPayload(1_000)
            .currentTransaction(() -> current)
            .contract(String.class, "test.text", 1)
            .contract(byte[].class, "test.bytes", 1)
            .add(outbox)
            .build();
  }

  /** Adds texts such as "a1", whose first letter is their key. */
  void addKeyed(String... texts) {
    for (String text : texts) {
      outbox.add(text, options -> options.key(text.substring(0, 1)));
    }
  }

  Inbox inbox() {
    return mailroom.inbox("outbox");
  }

  /** How many events are neither published nor dead. */
  long open() {
    ChannelCounts counts = inbox().inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }

  List<DeadLetter> deadLetters() {
    return inbox().deadLetters().list(DeadLetterFilter.all(), 100).letters();
  }

  static String text(OutboxMessage message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }

  /** Records what it is given, and answers as it was set up. */
  static final class RecordingDispatcher implements Dispatcher {
    final List<String> calls;
    final Map<String, Result> answers = new HashMap<>();
    final Map<String, Exception> errors = new HashMap<>();

    RecordingDispatcher() {
      this(new ArrayList<>());
    }

    RecordingDispatcher(List<String> calls) {
      this.calls = calls;
    }

    @Override
    public Result dispatch(OutboxMessage message) throws Exception {
      String text = text(message);
      calls.add(text);
      if (errors.containsKey(text)) {
        throw errors.get(text);
      }
      return answers.getOrDefault(text, Result.success());
    }
  }
}
