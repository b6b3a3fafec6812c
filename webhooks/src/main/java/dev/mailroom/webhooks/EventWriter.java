package dev.mailroom.webhooks;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.MessageChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Maps events to messages and stores them: all events of a request, or none. */
final class EventWriter {
  private static final String UNKNOWN_CONTENT = "application/octet-stream";

  private EventWriter() {}

  /** Stores events; returns a receipt per event, in their order. */
  static List<Receipt> store(
      MessageChannel channel,
      Source source,
      String secret,
      List<WebhookEvent> events,
      Instant now) {
    if (events.size() == 1) {
      // A single write can be coalesced with the writes of other requests.
      Outgoing only = message(source, secret, events.get(0), now);
      return List.of(channel.write(only.payload(), only.options()));
    }
    List<Outgoing> messages = new ArrayList<>(events.size());
    for (WebhookEvent event : events) {
      messages.add(message(source, secret, event, now));
    }
    return channel.writeAll(messages, null);
  }

  /** Stores events without waiting; completes with a receipt per event, in their order. */
  static CompletionStage<List<Receipt>> storeAsync(
      MessageChannel channel,
      Source source,
      String secret,
      List<WebhookEvent> events,
      Instant now) {
    if (events.size() == 1) {
      Outgoing only = message(source, secret, events.get(0), now);
      return channel.writeAsync(only.payload(), only.options()).thenApply(List::of);
    }
    return CompletableFuture.completedStage(store(channel, source, secret, events, now));
  }

  private static Outgoing message(Source source, String secret, WebhookEvent event, Instant now) {
    String type = StorableText.shown(event.type());
    WriteOptions.Builder options =
        WriteOptions.builder()
            .receivedAt(now)
            .deduplicationKey(deduplicationKey(source, event))
            .headers(headers(source, secret, type, event));
    String entity = event.entity();
    if (entity != null && !entity.isBlank()) {
      options.groupKey(StorableText.key(source.name() + ":", entity));
    }
    String tenant = source.tenant() == null ? event.tenant() : source.tenant();
    if (tenant != null && !tenant.isBlank()) {
      options.tenant(StorableText.key("", tenant));
    }
    return new Outgoing(payload(source.provider().name(), type, event), options.build());
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

  /** What stays the same when the event is sent again: its id, or else the hash of its bytes. */
  private static String deduplicationKey(Source source, WebhookEvent event) {
    String id = event.id();
    return id == null || id.isBlank()
        ? source.name() + ":sha256:" + StorableText.hash(event.payload())
        : source.deduplicationKey(id);
  }
}
