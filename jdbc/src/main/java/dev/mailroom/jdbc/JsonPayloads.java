package dev.mailroom.jdbc;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.NewMessage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Refuses what does not fit into a column for JSON, before anything is written. */
final class JsonPayloads {
  private JsonPayloads() {}

  static void require(List<NewMessage> messages) {
    for (NewMessage message : messages) {
      String problem = problem(message.envelope().payload());
      if (problem != null) {
        throw new InvalidMessageException(
            "The payload of message "
                + message.id()
                + " cannot be stored in a column for JSON: "
                + problem
                + ". Nothing was stored.");
      }
    }
  }

  private static @Nullable String problem(Payload payload) {
    return isJson(payload.contentType())
        ? JsonText.problem(payload.bytes())
        : "its content type is " + payload.contentType();
  }

  private static boolean isJson(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    type = type.strip().toLowerCase(Locale.ROOT);
    return type.equals("application/json") || (type.contains("/") && type.endsWith("+json"));
  }
}
