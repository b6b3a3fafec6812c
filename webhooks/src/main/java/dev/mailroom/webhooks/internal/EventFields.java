package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.internal.FieldExpression.Where;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request says about one of its events. */
final class EventFields {
  private final WebhookRequest request;
  private final @Nullable Form form;
  private final byte[] payload;
  private final Map<Where, Map<String, String>> values = new EnumMap<>(Where.class);

  EventFields(WebhookRequest request, @Nullable Form form, byte[] payload) {
    this.request = request;
    this.form = form;
    this.payload = payload;
  }

  EventFields with(Where where, Map<String, String> found) {
    values.put(where, found);
    return this;
  }

  @Nullable String header(String name) {
    return something(request.headers().first(name));
  }

  @Nullable String form(String name) {
    return something(Form.first(form, name));
  }

  @Nullable String at(Where where, String path) {
    return something(values.getOrDefault(where, Map.of()).get(path));
  }

  /** Some senders leave a field empty instead of leaving it out. */
  private static @Nullable String something(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  byte[] payload() {
    return payload;
  }
}
