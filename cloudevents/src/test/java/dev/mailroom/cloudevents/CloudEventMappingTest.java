package dev.mailroom.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Timing;
import dev.mailroom.messages.Trace;
import dev.mailroom.outbox.spi.OutboxMessage;
import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.provider.EventFormatProvider;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CloudEventMappingTest {
  private static final URI SOURCE = URI.create("https://shop.example.com/orders");
  private static final UUID ID = new UUID(4, 2);
  private static final Instant CREATED = Instant.parse("2026-11-01T10:15:30.123456Z");
  private static final byte[] JSON = "{\"orderId\":\"4711\"}".getBytes(StandardCharsets.UTF_8);

  private final CloudEventMapping mapping = new CloudEventMapping(SOURCE);

  private static OutboxMessage message(Routing routing, Trace trace) {
    Envelope envelope =
        new Envelope(
            ID,
            new Payload(new Contract("orders.order-placed", 2), "application/json", JSON),
            routing,
            trace,
            Map.of(OutboxMessage.TOPIC_HEADER, "orders", "color", "red"));
    return new OutboxMessage(
        new Message(
            "outbox",
            envelope,
            new Timing(CREATED, CREATED, CREATED, null),
            new Progress(1, 1, 0, 0, null, null),
            Map.of()),
        payload -> payload);
  }

  private static OutboxMessage full() {
    return message(
        new Routing("acme", "order-4711", null, null),
        new Trace("conversation", "request", "00-4bf92f-00f067-01", "vendor=1"));
  }

  @Test
  void every_part_of_an_event_has_its_attribute() {
    CloudEvent event = mapping.toCloudEvent(full());

    assertThat(event.getSpecVersion()).isEqualTo(SpecVersion.V1);
    assertThat(event.getId()).isEqualTo(ID.toString());
    assertThat(event.getSource()).isEqualTo(SOURCE);
    assertThat(event.getType()).isEqualTo("orders.order-placed");
    assertThat(event.getTime()).isEqualTo(CREATED.atOffset(ZoneOffset.UTC));
    assertThat(event.getDataContentType()).isEqualTo("application/json");
    assertThat(Objects.requireNonNull(event.getData()).toBytes()).isEqualTo(JSON);
    assertThat(event.getExtension("contractversion")).isEqualTo(2);
    assertThat(event.getExtension("partitionkey")).isEqualTo("order-4711");
    assertThat(event.getExtension("correlationid")).isEqualTo("conversation");
    assertThat(event.getExtension("causationid")).isEqualTo("request");
    assertThat(event.getExtension("traceparent")).isEqualTo("00-4bf92f-00f067-01");
    assertThat(event.getExtension("tracestate")).isEqualTo("vendor=1");
    assertThat(event.getExtension("tenant")).isEqualTo("acme");
    assertThat(event.getExtensionNames()).hasSize(7);
  }

  @Test
  void what_an_event_does_not_have_is_left_out() {
    CloudEvent event = mapping.toCloudEvent(message(Routing.NONE, Trace.NONE));

    assertThat(event.getExtensionNames()).containsExactly("contractversion");
  }

  @Test
  void it_survives_the_structured_mode() {
    byte[] structured =
        Objects.requireNonNull(
                EventFormatProvider.getInstance().resolveFormat(JsonFormat.CONTENT_TYPE))
            .serialize(mapping.toCloudEvent(full()));

    assertThat(new String(structured, StandardCharsets.UTF_8))
        .contains("\"specversion\":\"1.0\"", "\"data\":{\"orderId\":\"4711\"}");
    CloudEvent read =
        Objects.requireNonNull(
                EventFormatProvider.getInstance().resolveFormat(JsonFormat.CONTENT_TYPE))
            .deserialize(structured);
    assertThat(read.getId()).isEqualTo(ID.toString());
    assertThat(read.getExtension("partitionkey")).isEqualTo("order-4711");
  }

  @Test
  void it_survives_the_binary_mode_over_http() {
    Map<String, String> headers = new HashMap<>();
    byte[][] body = new byte[1][];
    HttpMessageFactory.createWriter(headers::put, bytes -> body[0] = bytes)
        .writeBinary(mapping.toCloudEvent(full()));

    assertThat(headers)
        .containsEntry("ce-specversion", "1.0")
        .containsEntry("ce-type", "orders.order-placed")
        .containsEntry("Content-Type", "application/json");
    assertThat(body[0]).isEqualTo(JSON);
    CloudEvent read = HttpMessageFactory.createReader(headers, body[0]).toEvent();
    assertThat(read.getTime()).isEqualTo(CREATED.atOffset(ZoneOffset.UTC));
    assertThat(read.getExtension("contractversion")).isEqualTo("2");
  }

  @Test
  void a_source_must_be_given() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CloudEventMapping(URI.create("")))
        .withMessageContaining("source of CloudEvents is empty");
  }
}
