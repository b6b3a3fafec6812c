package dev.mailroom.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning. */
final class TopicReader implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  TopicReader(String address, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** The next records, at least one. */
  List<ConsumerRecord<byte[], byte[]>> next() {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(PATIENCE);
    if (records.isEmpty()) {
      throw new AssertionError("No record came within " + PATIENCE);
    }
    List<ConsumerRecord<byte[], byte[]>> list = new ArrayList<>();
    records.forEach(list::add);
    return list;
  }

  /** All records that are there now. */
  List<ConsumerRecord<byte[], byte[]>> rest() {
    long end = consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    while (partitions.stream().mapToLong(consumer::position).sum() < end) {
      all.addAll(next());
    }
    return all;
  }

  List<String> restAsTexts() {
    return rest().stream().map(TopicReader::text).toList();
  }

  static String text(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
