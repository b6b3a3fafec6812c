package dev.mailroom.webhooks;

import dev.mailroom.Result;
import java.util.Objects;

/** Adds handlers for the events of one source. Not thread-safe. */
public final class SourceHandlers {
  private final WebhooksBuilder webhooks;
  private final String source;

  SourceHandlers(WebhooksBuilder webhooks, String source) {
    this.webhooks = webhooks;
    this.source = source;
  }

  /**
   * Handles events of this type: {@code on("charge.succeeded", event -> …)}. The handler's name is
   * the source's, a colon and the type, such as {@code stripe:charge.succeeded}. For several
   * handlers of one type, or other options, use {@link WebhooksBuilder#handler}.
   *
   * @param type an event type, or a prefix of event types with an asterisk at the end; {@code *} is
   *     every event of the source
   */
  public SourceHandlers on(String type, WebhookListener listener) {
    Objects.requireNonNull(listener, "listener");
    webhooks.handler(
        source + ":" + Objects.requireNonNull(type, "type"),
        event -> {
          listener.onEvent(event);
          return Result.success();
        },
        options -> options.source(source).type(type));
    return this;
  }
}
