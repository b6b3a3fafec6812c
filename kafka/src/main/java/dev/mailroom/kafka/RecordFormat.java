package dev.mailroom.kafka;

import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.outbox.spi.WireHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Says what a record looks like. Called concurrently: an implementation is thread-safe. */
@FunctionalInterface
public interface RecordFormat {

  /**
   * The event as a record, with {@link #keyOf its key}, so that the events of one key come to one
   * partition.
   *
   * @param topic where it goes: the event's own topic, or the dispatcher's default
   * @throws RuntimeException if it cannot be put in this format; the event is dead at once
   */
  ProducerRecord<byte[], byte[]> toRecord(String topic, OutboxMessage message);

  /** The payload as it is stored, and everything else in headers: see {@link WireHeaders}. */
  static RecordFormat plain() {
    return (topic, message) -> {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, keyOf(message), message.payload());
      WireHeaders.of(message)
          .forEach(
              (name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
      return record;
    };
  }

  /** The key of an event in UTF-8, or null if it has none. */
  static byte @Nullable [] keyOf(OutboxMessage message) {
    String key = message.key();
    return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
  }
}
