package dev.mailroom.server.web;

import dev.mailroom.Inbox;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.webhooks.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message by its key, or an event by the id that its provider gave it. It uses the store's
 * deduplication keys, so its time does not depend on the history, and it also finds messages that
 * are gone.
 */
final class LookupApi {
  private static final String GONE =
      "It was accepted, and is no longer stored: it has been handled, discarded or replaced since.";

  private final InboxApi inboxes;
  private final List<Source> sources;

  LookupApi(InboxApi inboxes, List<Source> sources) {
    this.inboxes = inboxes;
    this.sources = List.copyOf(sources);
  }

  /** One key to look for. */
  private record Sought(@Nullable String source, @Nullable String tenant, String key) {}

  ApiResponse find(ApiRequest call) {
    Inbox inbox = inboxes.inbox(call);
    List<Map<String, Object>> found = new ArrayList<>();
    try {
      for (Sought sought : sought(call, inbox)) {
        Inspection inspection = inbox.inspect();
        inspection
            .key(sought.tenant(), sought.key())
            .map(key -> view(sought, key, inspection.find(sought.tenant(), sought.key())))
            .ifPresent(found::add);
      }
    } catch (InvalidMessageException | IllegalArgumentException e) {
      throw new ApiException(400, "bad-lookup", String.valueOf(e.getMessage()));
    }
    if (found.isEmpty()) {
      throw new ApiException(404, "no-such-key", unknown(call));
    }
    return ApiResponse.json(200, Map.of("found", found));
  }

  private List<Sought> sought(ApiRequest call, Inbox inbox) {
    String key = call.parameter("key");
    String event = call.parameter("event-id");
    String tenant = call.parameter("tenant");
    if ((key == null) == (event == null)) {
      throw new ApiException(400, "bad-lookup", "Give either key or event-id.");
    }
    if (key != null) {
      return List.of(new Sought(null, tenant, key));
    }
    if (!inbox.name().equals(OptionsReader.WEBHOOKS)) {
      throw new ApiException(
          400, "bad-lookup", "Only events of sources have an event-id: look in webhooks.");
    }
    return chosen(call.parameter("source")).stream()
        .map(
            source ->
                new Sought(
                    source.name(),
                    tenant == null ? source.tenant() : tenant,
                    source.deduplicationKey(String.valueOf(event))))
        .toList();
  }

  private List<Source> chosen(@Nullable String name) {
    List<Source> chosen =
        sources.stream().filter(source -> name == null || source.name().equals(name)).toList();
    if (chosen.isEmpty()) {
      throw new ApiException(
          404,
          "no-such-source",
          "There is no source '%s'; there are %s."
              .formatted(name, sources.stream().map(Source::name).toList()));
    }
    return chosen;
  }

  private static Map<String, Object> view(
      Sought sought, DeduplicationEntry key, Optional<InspectedMessage> message) {
    Map<String, Object> view = new LinkedHashMap<>();
    Views.put(view, "source", sought.source());
    Views.put(view, "tenant", sought.tenant());
    view.put("key", sought.key());
    view.put("messageId", key.messageId().toString());
    view.put("acceptedAt", key.acceptedAt().toString());
    Views.put(view, "keyExpiresAt", key.expiresAt());
    view.put("stored", message.isPresent());
    message.ifPresentOrElse(
        stored -> view.put("message", Views.whole(stored)), () -> view.put("explanation", GONE));
    return view;
  }

  private static String unknown(ApiRequest call) {
    return "The inbox does not remember it: no message had this key, it was cancelled, or its"
        + " deduplication window has passed."
        + (call.parameter("tenant") == null
            ? " If it has a tenant (a Shopify shop, a Slack team), give that too."
            : "");
  }
}
