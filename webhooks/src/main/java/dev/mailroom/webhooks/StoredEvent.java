package dev.mailroom.webhooks;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.FacadeContext;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is stored: its bytes as the payload, its metadata as headers.
 *
 * @param message the message
 */
record StoredEvent(Message message) {
  /** The prefix of all its headers. */
  static final String HEADERS = "mailroom-webhook-";

  static final String SOURCE = HEADERS + "source";
  static final String PROVIDER = HEADERS + "provider";
  static final String TYPE = HEADERS + "type";
  static final String EVENT_ID = HEADERS + "event-id";
  static final String SECRET = HEADERS + "secret";
  static final String OCCURRED_AT = HEADERS + "occurred-at";

  private static final String JSON = "application/json";

  @Nullable String header(String name) {
    return message.envelope().headers().get(name);
  }

  @Nullable String tenant() {
    return message.routing().tenant();
  }

  @Nullable Instant occurredAt() {
    String text = header(OCCURRED_AT);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException notOurs) {
      return null;
    }
  }

  Payload payload() {
    return message.envelope().payload();
  }

  Object decode(FacadeContext context, Type type) {
    Payload stored = payload();
    return context.decode(
        new Payload(stored.contract(), codecType(stored.contentType()), stored.bytes()), type);
  }

  /** Codecs have plain media types; senders add parameters, or a JSON subtype. */
  static String codecType(String contentType) {
    int parameters = contentType.indexOf(';');
    String plain =
        (parameters < 0 ? contentType : contentType.substring(0, parameters))
            .strip()
            .toLowerCase(Locale.ROOT);
    return plain.endsWith("+json") || plain.endsWith("/json") ? JSON : plain;
  }
}
