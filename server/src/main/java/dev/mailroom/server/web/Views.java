package dev.mailroom.server.web;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.MessageCursor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How messages look in the API. What is not there is left out. */
final class Views {
  /** The version of UUIDs that begin with a time. */
  private static final int TIME_BASED = 7;

  private Views() {}

  static Map<String, Object> message(Message message, MessageState state) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", message.id().toString());
    view.put("inbox", message.channel());
    view.put("state", state.name().toLowerCase(Locale.ROOT));
    view.put("contract", message.contract().name());
    view.put("contractVersion", message.contract().version());
    view.put("contentType", message.envelope().payload().contentType());
    view.put("size", message.envelope().payload().bytes().length);
    put(view, "tenant", message.routing().tenant());
    put(view, "group", message.routing().groupKey());
    put(view, "idempotencyKey", message.routing().deduplicationKey());
    put(view, "correlationId", message.envelope().trace().correlationId());
    put(view, "createdAt", message.timing().createdAt());
    put(view, "visibleAt", message.timing().visibleAt());
    put(view, "expiresAt", message.timing().expiresAt());
    view.put("attempts", message.progress().attempts());
    view.put("crashes", message.progress().crashes());
    LastError error = message.progress().lastError();
    if (error != null) {
      view.put("lastError", error(error));
    }
    if (!message.envelope().headers().isEmpty()) {
      view.put("headers", new TreeMap<>(message.envelope().headers()));
    }
    if (!message.checkpoints().isEmpty()) {
      view.put("steps", new TreeMap<>(message.checkpoints()));
    }
    return view;
  }

  /** A message with its payload. */
  static Map<String, Object> whole(InspectedMessage found) {
    Map<String, Object> view = message(found.message(), found.state());
    payload(view, found.message().envelope().payload());
    return view;
  }

  /**
   * How far a search has come, the newest messages first. Ids that Mailroom has made tell the time
   * at which they were.
   *
   * @param next the search's cursor, or null if it has ended
   */
  static Map<String, Object> searched(@Nullable String next) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("complete", next == null);
    if (next != null) {
      UUID id = MessageCursor.parse(next);
      view.put("downToId", id.toString());
      if (id.version() == TIME_BASED) {
        view.put("downTo", Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16).toString());
      }
    }
    return view;
  }

  static Map<String, Object> deadLetter(DeadLetter letter) {
    Map<String, Object> view = message(letter.message(), MessageState.DEAD);
    view.put("lastError", error(letter.error()));
    view.put("deadLetteredAt", letter.deadLetteredAt().toString());
    return view;
  }

  private static Map<String, Object> error(LastError error) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("type", error.type());
    view.put("message", error.message());
    if (!error.detail().isEmpty()) {
      view.put("detail", error.detail());
    }
    return view;
  }

  /** As text where it is text, else in Base64. */
  private static void payload(Map<String, Object> view, Payload payload) {
    try {
      view.put(
          "payload",
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload.bytes())).toString());
    } catch (CharacterCodingException e) {
      view.put("payloadBase64", Base64.getEncoder().encodeToString(payload.bytes()));
    }
  }

  static Map<String, Object> counts(String inbox, ChannelCounts counts) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", inbox);
    for (MessageState state : MessageState.values()) {
      view.put(state.name().toLowerCase(Locale.ROOT), counts.in(state));
    }
    if (!counts.atLeast().isEmpty()) {
      view.put(
          "atLeast",
          counts.atLeast().stream().map(s -> s.name().toLowerCase(Locale.ROOT)).sorted().toList());
    }
    Duration oldest = counts.oldestDue();
    if (oldest != null) {
      view.put("oldestDueSeconds", oldest.toMillis() / 1000.0);
    }
    return view;
  }

  static void put(Map<String, Object> view, String name, @Nullable String value) {
    if (value != null) {
      view.put(name, value);
    }
  }

  static void put(Map<String, Object> view, String name, @Nullable Instant value) {
    if (value != null) {
      view.put(name, value.toString());
    }
  }
}
