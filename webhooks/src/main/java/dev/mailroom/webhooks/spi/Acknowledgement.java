package dev.mailroom.webhooks.spi;

import dev.mailroom.webhooks.WebhookResponse;

/**
 * What a sender wants to hear when its events are stored.
 *
 * @param stored the answer if something was new
 * @param duplicate the answer if everything was known before
 */
public record Acknowledgement(WebhookResponse stored, WebhookResponse duplicate) {

  /** Accepted, and handled later: 202; and 200 for what is known already. */
  public static final Acknowledgement DEFAULT =
      new Acknowledgement(WebhookResponse.of(202), WebhookResponse.of(200));

  /** The same answer for both. */
  public static Acknowledgement always(WebhookResponse response) {
    return new Acknowledgement(response, response);
  }
}
