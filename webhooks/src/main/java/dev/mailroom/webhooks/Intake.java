package dev.mailroom.webhooks;

import dev.mailroom.Inbox;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Turns events into messages and stores them: all events of a request, or none. */
final class Intake {
  private static final String UNKNOWN_CONTENT = "application/octet-stream";

  private Intake() {}

  /** Stores events; a receipt for each, in their order. */
  static List<Receipt> store(
      Inbox inbox, Source source, String secret, List<WebhookEvent> events, Instant now) {
    if (events.size() == 1) {
      // Alone, so that it can be gathered with those of other requests.
      Outgoing only = message(source, secret, events.get(0), now);
      return List.of(inbox.write(only.payload(), only.options()));
    }
    List<Outgoing> messages = new ArrayList<>(events.size());
    for (WebhookEvent event : events) {
      messages.add(message(source, secret, event, now));
    }
    return inbox.writeAll(messages);
  }

  /** Has events stored; a receipt for each, in their order, when they are. */
  static CompletionStage<List<Receipt>> storeAsync(
      Inbox inbox, Source source, String secret, List<WebhookEvent> events, Instant now) {
    if (events.size() == 1) {
      Outgoing only = message(source, secret, events.get(0), now);
      return inbox.writeAsync(only.payload(), only.options()).thenApply(List::of);
    }
    return CompletableFuture.completedStage(store(inbox, source, secret, events, now));
  }

  private static Outgoing message(Source source, String secret, WebhookEvent event, Instant now) {
    String type = StorableText.shown(event.type());
    WriteOptions options =
        WriteOptions.builder()
            .receivedAt(now)
            .deduplicationKey(deduplicationKey(source, event))
            .headers(headers(source, secret, type, event))
            .build();
    String entity = event.entity();
    if (entity != null && !entity.isBlank()) {
      options = options.groupKey(StorableText.key(source.name() + ":", entity));
    }
    String tenant = source.tenant() == null ? event.tenant() : source.tenant();
    if (tenant != null && !tenant.isBlank()) {
      options = options.tenant(StorableText.key("", tenant));
    }
    return new Outgoing(payload(source.provider().name(), type, event), options);
  }

  private static Map<String, String> headers(
      Source source, String secret, @Nullable String type, WebhookEvent event) {
    Map<String, String> headers = new HashMap<>();
    headers.put(StoredEvent.SOURCE, source.name());
    headers.put(StoredEvent.PROVIDER, source.provider().name());
    headers.put(StoredEvent.SECRET, secret);
    put(headers, StoredEvent.TYPE, type);
    put(headers, StoredEvent.EVENT_ID, StorableText.shown(event.id()));
    Instant occurredAt = event.occurredAt();
    put(headers, StoredEvent.OCCURRED_AT, occurredAt == null ? null : occurredAt.toString());
    return headers;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  private static Payload payload(String provider, @Nullable String type, WebhookEvent event) {
    String contract = type == null ? provider : provider + "." + type;
    String contentType = StorableText.shown(event.contentType());
    return new Payload(
        new Contract(Limits.cut(contract, Limits.KEY_LENGTH), 1),
        contentType == null ? UNKNOWN_CONTENT : contentType,
        event.payload());
  }

  /** What is the same whenever the event is sent again: its id, or else its bytes. */
  private static String deduplicationKey(Source source, WebhookEvent event) {
    String id = event.id();
    return id == null || id.isBlank()
        ? source.name() + ":sha256:" + StorableText.hash(event.payload())
        : source.deduplicationKey(id);
  }
}
