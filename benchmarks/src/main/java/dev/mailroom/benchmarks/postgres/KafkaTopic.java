package dev.mailroom.benchmarks.postgres;

import dev.mailroom.brokers.KafkaBroker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topic that all contenders publish to, and how many records it has. */
final class KafkaTopic {
  static final String NAME = "orders";
  private static final int PARTITIONS = 4;

  private final KafkaBroker broker;
  private long known;

  KafkaTopic(KafkaBroker broker) {
    this.broker = broker;
    broker.createTopic(NAME, PARTITIONS, Map.of());
  }

  /** One with the settings of {@link dev.mailroom.kafka.KafkaDispatcher}'s own. */
  Producer<byte[], byte[]> newProducer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            broker.address(),
            "acks",
            "all",
            "enable.idempotence",
            true,
            "linger.ms",
            "0"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  String address() {
    return broker.address();
  }

  /** Fails unless so many records have come since the last time. */
  void requireNew(int messages) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.address()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(NAME).stream()
              .map(partition -> new TopicPartition(NAME, partition.partition()))
              .toList();
      long end = consumer.endOffsets(partitions).values().stream().mapToLong(v -> v).sum();
      if (end - known != messages) {
        throw new IllegalStateException(
            (end - known) + " records were published, and not " + messages);
      }
      known = end;
    }
  }
}
