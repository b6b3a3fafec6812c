package dev.mailroom.kafka;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Timing;
import dev.mailroom.messages.Trace;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Events as a dispatcher gets them: texts such as "a1", whose first letter is their key. */
final class Texts {
  private static final Instant CREATED = Instant.parse("2026-11-01T10:15:30Z");

  private Texts() {}

  static List<OutboxMessage> keyed(String... texts) {
    return Arrays.stream(texts)
        .map(text -> message(text, new Routing(null, text.substring(0, 1), null, null), "texts"))
        .toList();
  }

  static OutboxMessage withoutKey(String text, String topic) {
    return message(text, Routing.NONE, topic);
  }

  private static OutboxMessage message(String text, Routing routing, String topic) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new OutboxMessage(
        new Message(
            "outbox",
            new Envelope(
                UUID.nameUUIDFromBytes(bytes),
                new Payload(new Contract("test.text", 1), "text/plain", bytes),
                routing,
                Trace.NONE,
                topic == null ? Map.of() : Map.of(OutboxMessage.TOPIC_HEADER, topic)),
            new Timing(CREATED, CREATED, CREATED, null),
            new Progress(1, 1, 0, 0, null, null),
            Map.of()),
        payload -> payload);
  }
}
