package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.THREE_TIMES;

import dev.mailroom.Result;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.WebhookHandler;
import dev.mailroom.webhooks.WebhooksBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Handlers that record their calls and return the given results. */
final class RecordingHandlers {
  /** Each call: the handler's name, the event's id, and which attempt it was. */
  final List<String> calls = new ArrayList<>();

  private final Map<String, Deque<Result>> answers = new HashMap<>();

  /** The results of the handler's next calls; after them it succeeds. */
  RecordingHandlers answering(String name, Result... next) {
    answers.put(name, new ArrayDeque<>(Arrays.asList(next)));
    return this;
  }

  WebhookHandler handler(String name) {
    return event -> called(name, event);
  }

  private Result called(String name, WebhookDelivery event) {
    calls.add(name + " " + event.eventId() + " #" + event.attempt());
    Deque<Result> next = answers.get(name);
    return next == null || next.isEmpty() ? Result.success() : next.remove();
  }

  /** A source, and three handlers for it that are called one after another. */
  WebhooksBuilder three(WebhooksBuilder webhooks) {
    return webhooks
        .source(WebhooksFixture.source("shop"))
        .handler("first", options -> options.retry(THREE_TIMES), handler("first"))
        .handler("second", options -> options.retry(THREE_TIMES), handler("second"))
        .handler("third", options -> options.retry(THREE_TIMES), handler("third"));
  }
}
