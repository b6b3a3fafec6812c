package dev.mailroom.http;

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
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Events as a dispatcher gets them. */
final class Texts {
  static final UUID ID = new UUID(4, 2);
  static final String JSON = "{\"order\":\"4711\",\"name\":\"Jürgen\"}";

  private static final Instant CREATED = Instant.parse("2026-11-01T10:15:30Z");

  private Texts() {}

  static OutboxMessage message() {
    return message(Map.of(), Trace.NONE);
  }

  static OutboxMessage message(Map<String, String> headers, Trace trace) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(OutboxMessage.TOPIC_HEADER, "orders");
    return new OutboxMessage(
        new Message(
            "outbox",
            new Envelope(
                ID,
                new Payload(
                    new Contract("orders.placed", 2),
                    "application/json",
                    JSON.getBytes(StandardCharsets.UTF_8)),
                new Routing("acme", "4711", null, null),
                trace,
                all),
            new Timing(CREATED, CREATED, CREATED, null),
            new Progress(1, 1, 0, 0, null, null),
            Map.of()),
        payload -> payload);
  }
}
