package dev.mailroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.brokers.KafkaBroker;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.spi.HandlerOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class BrokerRestartTest {
  private static final int EVENTS = 2_000;
  private static final int KEYS = 40;

  @Test
  void a_broker_that_restarts_twice_loses_nothing_and_keeps_the_order_of_every_key()
      throws Exception {
    try (KafkaBroker broker = KafkaBroker.open()) {
      broker.createTopic("orders", 3, Map.of());
      // So short that events time out and are redelivered while the broker is away.
      KafkaDispatcher dispatcher =
          KafkaDispatcher.builder()
              .bootstrapServers(broker.address())
              .property("request.timeout.ms", 400)
              .property("delivery.timeout.ms", 500)
              .property("max.block.ms", 250)
              .property("reconnect.backoff.max.ms", 100)
              .retryAfter(Duration.ofMillis(50))
              .build();
      Semaphore deferred = new Semaphore(0);
      Outbox outbox =
          Outbox.builder()
              .dispatcher(watched(dispatcher, deferred))
              .options(
                  options ->
                      options
                          .concurrency(2)
                          .readBatch(200)
                          .retry(RetryPolicy.builder().deferrals(100_000).build()))
              .build();
      Mailroom mailroom =
          Mailroom.builder()
              .store(MemoryStore.builder().build())
              .contract(String.class, "test.text", 1)
              .add(outbox)
              .build();
      List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
      try (dispatcher;
          TopicReader reader = new TopicReader(broker.address(), "orders")) {
        mailroom.start();
        add(outbox, 0, EVENTS / 2);
        readUntil(EVENTS / 4, reader, read);
        restart(broker, deferred, () -> add(outbox, EVENTS / 2, EVENTS * 3 / 4));
        readUntil(EVENTS / 2, reader, read);
        restart(broker, deferred, () -> add(outbox, EVENTS * 3 / 4, EVENTS));
        readUntil(EVENTS, reader, read);
        mailroom.close();
      }

      Map<String, Set<Integer>> firsts = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : read) {
        firsts
            .computeIfAbsent(
                new String(record.key(), StandardCharsets.UTF_8), key -> new LinkedHashSet<>())
            .add(Integer.parseInt(TopicReader.text(record)));
      }
      assertThat(firsts).hasSize(KEYS);
      firsts.forEach(
          (key, numbers) -> {
            int offset = Integer.parseInt(key.substring("key-".length()));
            assertThat(numbers)
                .containsExactlyElementsOf(
                    IntStream.range(0, EVENTS / KEYS).map(i -> i * KEYS + offset).boxed().toList());
          });
    }
  }

  /** Releases a permit for every event that was deferred. */
  private static BatchDispatcher watched(KafkaDispatcher dispatcher, Semaphore deferred) {
    return messages -> {
      List<Result> answers = dispatcher.dispatchAll(messages);
      answers.stream()
          .filter(answer -> answer.outcome() instanceof HandlerOutcome.Deferred)
          .forEach(answer -> deferred.release());
      return answers;
    };
  }

  private static void add(Outbox outbox, int from, int to) {
    for (int i = from; i < to; i++) {
      String key = "key-" + i % KEYS;
      outbox.add(String.valueOf(i), options -> options.topic("orders").key(key));
    }
  }

  /** The broker stays away until events that come meanwhile were given up. */
  private static void restart(KafkaBroker broker, Semaphore deferred, Runnable meanwhile)
      throws InterruptedException {
    broker.stop();
    deferred.drainPermits();
    meanwhile.run();
    deferred.acquire(KEYS);
    broker.start();
  }

  /** Reads until this number of different events have come. */
  private static void readUntil(
      int count, TopicReader reader, List<ConsumerRecord<byte[], byte[]>> read) {
    Set<String> different = new LinkedHashSet<>();
    read.forEach(record -> different.add(TopicReader.text(record)));
    while (different.size() < count) {
      List<ConsumerRecord<byte[], byte[]>> records = reader.next();
      read.addAll(records);
      records.forEach(record -> different.add(TopicReader.text(record)));
    }
  }
}
