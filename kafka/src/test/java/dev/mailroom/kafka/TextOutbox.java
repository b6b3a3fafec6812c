package dev.mailroom.kafka;

import dev.mailroom.Mailroom;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.List;

/** An outbox of texts over the in-memory store; failures are retried after a second. */
final class TextOutbox {
  final ManualTime time = new ManualTime();
  final Outbox outbox;
  final Mailroom mailroom;

  TextOutbox(Dispatcher dispatcher) {
    this(dispatcher, AfterDeadLetter.CONTINUE);
  }

  TextOutbox(Dispatcher dispatcher, AfterDeadLetter afterDeadLetter) {
    RetryPolicy retry =
        RetryPolicy.builder()
            .attempts(3)
            .backoff(Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
            .build();
    outbox =
        Outbox.builder()
            .dispatcher(dispatcher)
            .options(options -> options.retry(retry).afterDeadLetter(afterDeadLetter))
            .build();
    mailroom =
        Mailroom.builder()
            .store(MemoryStore.builder().time(time).build())
            .time(time)
            .contract(String.class, "test.text", 1)
            .add(outbox)
            .build();
  }

  void add(String topic, String key, String text) {
    outbox.add(text, options -> options.topic(topic).key(key));
  }

  /** Lets the time of a retry pass, and publishes what is due. */
  void publish() {
    time.advance(Duration.ofSeconds(2));
    outbox.processPending();
  }

  long open() {
    ChannelCounts counts = mailroom.inbox("outbox").inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }

  List<DeadLetter> deadLetters() {
    return mailroom.inbox("outbox").deadLetters().list(DeadLetterFilter.all(), 100).letters();
  }
}
