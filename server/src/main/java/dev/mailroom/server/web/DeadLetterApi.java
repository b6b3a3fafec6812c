package dev.mailroom.server.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.messages.Limits;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists, redrives and discards dead letters. */
final class DeadLetterApi {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterApi.class);
  private static final int MOST_IDS = 1_000;
  private static final Set<String> TEXTS = Set.of("contract", "tenant", "group", "error", "until");

  private final InboxApi inboxes;

  DeadLetterApi(InboxApi inboxes) {
    this.inboxes = inboxes;
  }

  ApiResponse list(ApiRequest call) {
    DeadLetters letters = inboxes.inbox(call).deadLetters();
    try {
      DeadLetterFilter filter = filter(Set.of(), call::parameter);
      String cursor = call.parameter("after");
      DeadLetterPage page =
          cursor == null
              ? letters.list(filter, InboxApi.limit(call))
              : letters.list(filter, cursor, InboxApi.limit(call));
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("deadLetters", page.letters().stream().map(Views::deadLetter).toList());
      answer.put("next", page.nextCursor());
      answer.put("asOf", page.asOf().toString());
      return ApiResponse.json(200, answer);
    } catch (IllegalArgumentException e) {
      throw new ApiException(400, "bad-filter", String.valueOf(e.getMessage()));
    }
  }

  ApiResponse redrive(ApiRequest call) {
    return change(call, "redriven", DeadLetters::redrive);
  }

  ApiResponse discard(ApiRequest call) {
    return change(call, "discarded", DeadLetters::discard);
  }

  private ApiResponse change(
      ApiRequest call, String done, ToLongBiFunction<DeadLetters, DeadLetterFilter> verb) {
    DeadLetters letters = inboxes.inbox(call).deadLetters();
    DeadLetterFilter filter = filter(Json.object(call.body()));
    long count = verb.applyAsLong(letters, filter);
    LOG.info("{} dead letters of {} were {} by '{}'", count, call.path(), done, call.caller());
    return ApiResponse.json(200, Map.of(done, count));
  }

  /** A filter is required: an empty body does not mean all. */
  private static DeadLetterFilter filter(ObjectNode body) {
    body.properties().forEach(field -> requireKnown(field.getKey(), field.getValue()));
    Set<UUID> ids = new HashSet<>();
    JsonNode given = body.path("ids");
    if (given.size() > MOST_IDS) {
      throw new ApiException(400, "too-many-ids", "At most " + MOST_IDS + " ids at once.");
    }
    given.forEach(id -> ids.add(InboxApi.id(id.asText())));
    DeadLetterFilter filter =
        filter(ids, name -> body.path(name).isTextual() ? body.path(name).asText() : null);
    if (filter.equals(DeadLetterFilter.all()) && !body.path("all").asBoolean(false)) {
      throw new ApiException(
          400,
          "nothing-chosen",
          "Say which: ids, contract, tenant, group, error or until; or \"all\": true.");
    }
    return filter;
  }

  /** An ignored field would discard more than was meant. */
  private static void requireKnown(String name, JsonNode value) {
    boolean known =
        switch (name) {
          case "ids" -> value.isArray();
          case "all" -> value.isBoolean();
          default -> TEXTS.contains(name) && value.isTextual();
        };
    if (!known) {
      throw new ApiException(
          400,
          "bad-filter",
          "There is no '"
              + Limits.cut(name, 40)
              + "' like this: there are ids (a list), all (true or false), and the texts contract,"
              + " tenant, group, error and until.");
    }
  }

  private static DeadLetterFilter filter(Set<UUID> ids, UnaryOperator<@Nullable String> values) {
    String until = values.apply("until");
    try {
      return new DeadLetterFilter(
          ids,
          values.apply("contract"),
          values.apply("tenant"),
          values.apply("group"),
          values.apply("error"),
          until == null ? null : Instant.parse(until));
    } catch (DateTimeException e) {
      throw new ApiException(
          400, "bad-time", "'until' must be a time such as 2026-12-01T00:00:00Z.");
    }
  }
}
