package dev.mailroom.server.web;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Writes messages to inboxes and looks at them. */
final class InboxApi {
  private static final int PAGE = 50;
  private static final int LARGEST_PAGE = 500;

  private final Mailroom mailroom;
  private final List<String> inboxes;

  /**
   * Serves these inboxes.
   *
   * @param inboxes the names of all that there are, the webhooks' included
   */
  InboxApi(Mailroom mailroom, List<String> inboxes) {
    this.mailroom = mailroom;
    this.inboxes = List.copyOf(inboxes);
  }

  ApiResponse list(ApiRequest call) {
    return ApiResponse.json(
        200,
        Map.of(
            "inboxes",
            inboxes.stream()
                .map(name -> Views.counts(name, mailroom.inbox(name).inspect().counts()))
                .toList()));
  }

  ApiResponse write(ApiRequest call) {
    Inbox inbox = inbox(call);
    if (inbox.name().equals(OptionsReader.WEBHOOKS)) {
      throw new ApiException(
          403, "webhooks-only", "Events come into this inbox through /webhooks/{source} only.");
    }
    try {
      Receipt receipt = inbox.write(payload(call, inbox), options(call));
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("id", receipt.messageId().toString());
      answer.put("status", receipt.status().name().toLowerCase(Locale.ROOT));
      answer.put("acceptedAt", receipt.acceptedAt().toString());
      return ApiResponse.json(receipt.isDuplicate() ? 200 : 202, answer)
          .with("Location", "/api/inboxes/" + inbox.name() + "/messages/" + receipt.messageId());
    } catch (ConflictingDuplicateException e) {
      throw new ApiException(
          422,
          "idempotency-key-reused",
          "This Idempotency-Key was used before, with other content. Nothing was stored.");
    } catch (InvalidMessageException | IllegalArgumentException e) {
      throw new ApiException(400, "invalid-message", String.valueOf(e.getMessage()));
    }
  }

  private static Payload payload(ApiRequest call, Inbox inbox) {
    String contract = call.option("contract");
    String version = call.option("contract-version");
    String type = call.header("Content-Type");
    return new Payload(
        new Contract(
            contract == null ? inbox.name() : contract,
            version == null ? 1 : number("contract-version", version, 1, 1_000_000)),
        type == null ? "application/octet-stream" : type,
        call.body());
  }

  private static WriteOptions options(ApiRequest call) {
    WriteOptions.Builder options = WriteOptions.builder();
    String key = call.header("Idempotency-Key");
    if (key != null && !key.isBlank()) {
      options.deduplicationKey(key).strict();
    }
    options
        .tenant(call.option("tenant"))
        .collapseKey(call.option("collapse"))
        .correlationId(call.option("correlation-id"))
        .lifetime(duration(call.option("lifetime")));
    String group = call.option("group");
    if (group != null) {
      options.groupKey(group);
    }
    Duration delay = duration(call.option("delay"));
    if (delay != null) {
      options.delay(delay);
    }
    return options.build();
  }

  private static @Nullable Duration duration(@Nullable String text) {
    return text == null ? null : Units.duration(text);
  }

  private static MessageFilter narrowed(
      MessageFilter filter,
      @Nullable String text,
      BiFunction<MessageFilter, String, MessageFilter> change) {
    return text == null ? filter : change.apply(filter, text);
  }

  ApiResponse show(ApiRequest call) {
    Inbox inbox = inbox(call);
    return inbox
        .inspect()
        .find(id(call.variable("id")))
        .map(found -> ApiResponse.json(200, Views.whole(found)))
        .orElseThrow(
            () ->
                new ApiException(
                    404,
                    "no-such-message",
                    "The inbox does not hold it: it was delivered and is not kept as history, or"
                        + " never was there."));
  }

  ApiResponse search(ApiRequest call) {
    Inbox inbox = inbox(call);
    try {
      MessageFilter filter = MessageFilter.all();
      filter = narrowed(filter, call.parameter("state"), (f, text) -> f.in(state(text)));
      filter = narrowed(filter, call.parameter("contract"), MessageFilter::contract);
      filter = narrowed(filter, call.parameter("tenant"), MessageFilter::tenant);
      filter = narrowed(filter, call.parameter("group"), MessageFilter::groupKey);
      filter = narrowed(filter, call.parameter("key"), MessageFilter::deduplicationKey);
      filter = narrowed(filter, call.parameter("error"), MessageFilter::error);
      String cursor = call.parameter("after");
      MessagePage page =
          cursor == null
              ? inbox.inspect().search(filter, limit(call))
              : inbox.inspect().search(filter, cursor, limit(call));
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put(
          "messages",
          page.messages().stream()
              .map(found -> Views.message(found.message(), found.state()))
              .toList());
      answer.put("next", page.nextCursor());
      answer.put("searched", Views.searched(page.nextCursor()));
      return ApiResponse.json(200, answer);
    } catch (InvalidMessageException | IllegalArgumentException e) {
      throw new ApiException(400, "bad-filter", String.valueOf(e.getMessage()));
    }
  }

  private static MessageState state(String text) {
    try {
      return MessageState.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no state: ready, scheduled, leased, dead or completed.", e);
    }
  }

  Inbox inbox(ApiRequest call) {
    String name = call.variable("inbox");
    if (!inboxes.contains(name)) {
      throw new ApiException(
          404,
          "no-such-inbox",
          "There is no inbox '" + name + "': configure it as inboxes." + name + ".");
    }
    return mailroom.inbox(name);
  }

  static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new ApiException(400, "bad-id", "'" + text + "' is no id of a message.");
    }
  }

  static int limit(ApiRequest call) {
    String text = call.parameter("limit");
    return text == null ? PAGE : number("limit", text, 1, LARGEST_PAGE);
  }

  private static int number(String name, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same as a number out of its range.
    }
    throw new ApiException(
        400, "bad-number", name + " must be a number from " + least + " to " + most + ".");
  }
}
