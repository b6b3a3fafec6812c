package dev.mailroom.webhooks.spi;

import dev.mailroom.webhooks.WebhookResponse;

/**
 * The responses that a provider expects when its events are stored.
 *
 * @param stored the response if at least one event was new
 * @param duplicate the response if all events were duplicates
 */
public record Acknowledgement(WebhookResponse stored, WebhookResponse duplicate) {

  private static final Acknowledgement DEFAULTS =
      new Acknowledgement(WebhookResponse.of(202), WebhookResponse.of(200));

  /** 202 for new events, 200 for duplicates. */
  public static Acknowledgement defaults() {
    return DEFAULTS;
  }

  /** The same response for both. */
  public static Acknowledgement always(WebhookResponse response) {
    return new Acknowledgement(response, response);
  }
}
