package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.internal.FieldExpression.Where;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the events of a provider's requests. */
final class EventReader {
  private static final String UNKNOWN_TYPE = "application/octet-stream";
  private static final String ITEM_TYPE = "application/json";

  private final FieldExpression type;
  private final FieldExpression id;
  private final FieldExpression entity;
  private final FieldExpression tenant;
  private final FieldExpression occurredAt;
  private final @Nullable Items items;
  private final @Nullable String jsonField;
  private final JsonPaths inEvent;
  private final JsonPaths inEnclosing;
  private final JsonPaths inBody;

  EventReader(ProviderData data) {
    this.type = data.type;
    this.id = data.id;
    this.entity = data.entity;
    this.tenant = data.tenant;
    this.occurredAt = data.occurredAt;
    this.items = data.items;
    this.jsonField = data.jsonField;
    this.inEvent = paths(Where.EVENT);
    this.inEnclosing = paths(Where.ENCLOSING);
    this.inBody = paths(Where.BODY);
  }

  private JsonPaths paths(Where where) {
    return JsonPaths.of(
        Stream.of(type, id, entity, tenant, occurredAt)
            .flatMap(text -> text.paths(where))
            .distinct()
            .toList());
  }

  List<WebhookEvent> events(WebhookRequest request, Source source) {
    Form form = Form.isSentBy(request) && !isJson(request) ? Form.parse(request.body()) : null;
    ByteRange json = json(request, form);
    List<Items.Item> found = items == null ? null : items.of(json);
    if (found == null || found.isEmpty()) {
      return List.of(whole(request, source, form, json));
    }
    Map<String, String> body = inBody.read(json);
    // Many events of one element ask for the same things of it.
    Map<ByteRange, Map<String, String>> enclosing = new HashMap<>();
    List<WebhookEvent> events = new ArrayList<>(found.size());
    for (Items.Item item : found) {
      EventFields facts =
          new EventFields(request, form, item.slice().alone())
              .with(Where.EVENT, inEvent.read(item.slice()))
              .with(Where.ENCLOSING, enclosing.computeIfAbsent(item.enclosing(), inEnclosing::read))
              .with(Where.BODY, body);
      events.add(event(facts, source, ITEM_TYPE));
    }
    return events;
  }

  private WebhookEvent whole(
      WebhookRequest request, Source source, @Nullable Form form, ByteRange json) {
    Map<String, String> values = inEvent.read(json);
    EventFields facts =
        new EventFields(request, form, request.body())
            .with(Where.EVENT, values)
            .with(Where.BODY, inBody.read(json));
    String contentType = printable(request.headers().first("Content-Type"));
    return event(facts, source, contentType == null ? UNKNOWN_TYPE : contentType);
  }

  private WebhookEvent event(EventFields facts, Source source, String contentType) {
    String time = occurredAt.of(facts);
    Instant at = time == null ? null : TimeUnits.guess(time);
    return new WebhookEvent(
        printable(type.of(facts)),
        printable(id.of(facts)),
        printable(entity.of(facts)),
        source.tenant() == null ? printable(tenant.of(facts)) : source.tenant(),
        at,
        facts.payload(),
        contentType);
  }

  /**
   * The JSON of the request: its body, or of a form the field that the sender is known to put it
   * in. The content type is not signed, so it alone must not decide: in a JSON body a text could be
   * mistaken for the field.
   */
  private ByteRange json(WebhookRequest request, @Nullable Form form) {
    String field = jsonField == null ? null : Form.first(form, jsonField);
    return ByteRange.of(field == null ? request.body() : field.getBytes(StandardCharsets.UTF_8));
  }

  /** A form has these characters encoded. */
  private static boolean isJson(WebhookRequest request) {
    for (byte one : request.body()) {
      if (" \t\r\n".indexOf(one) < 0) {
        return one == '{' || one == '[';
      }
    }
    return false;
  }

  /**
   * The text, if every store can keep it. Control characters and unpaired surrogates never occur in
   * valid names, and some databases refuse them.
   */
  private static @Nullable String printable(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      if (Character.isISOControl(one)) {
        return null;
      }
      if (Character.isSurrogate(one)) {
        boolean pair =
            Character.isHighSurrogate(one)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return null;
        }
        i++;
      }
    }
    return text;
  }
}
