package dev.mailroom.kafka;

import dev.mailroom.cloudevents.CloudEventMapping;
import dev.mailroom.outbox.spi.OutboxMessage;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.core.message.MessageWriter;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.cloudevents.rw.CloudEventWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records as CloudEvents 1.0, by {@link CloudEventMapping}. The headers that an event was added
 * with travel beside it. Needs {@code mailroom-cloudevents}, {@code cloudevents-kafka} and, for the
 * structured mode, {@code cloudevents-json-jackson} on the class path.
 */
public final class CloudEventRecordFormat implements RecordFormat {
  private final CloudEventMapping mapping;
  private final boolean structured;

  private CloudEventRecordFormat(URI source, boolean structured) {
    this.mapping = new CloudEventMapping(source);
    this.structured = structured;
  }

  /** The payload as the record's value, and the attributes in headers. */
  public static CloudEventRecordFormat binary(URI source) {
    return new CloudEventRecordFormat(source, false);
  }

  /** All of it as one JSON document in the record's value. */
  public static CloudEventRecordFormat structured(URI source) {
    return new CloudEventRecordFormat(source, true);
  }

  @Override
  public ProducerRecord<byte[], byte[]> toRecord(String topic, OutboxMessage message) {
    CloudEvent event = mapping.toCloudEvent(message);
    MessageWriter<CloudEventWriter<ProducerRecord<byte[], byte[]>>, ProducerRecord<byte[], byte[]>>
        writer = KafkaMessageFactory.createWriter(topic, RecordFormat.keyOf(message));
    ProducerRecord<byte[], byte[]> record =
        structured ? writer.writeStructured(event, Json.FORMAT) : writer.writeBinary(event);
    message
        .headers()
        .forEach(
            (name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
    return record;
  }

  /** Apart, so that the binary mode works without it. */
  private static final class Json {
    static final EventFormat FORMAT = new JsonFormat();
  }
}
