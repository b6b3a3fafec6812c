package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.time.Instant;
import java.util.function.Function;

/** One way in which a provider signs. */
interface SignatureCheck {
  /** Whether the request claims to be signed like this; then nothing else can vouch for it. */
  boolean applies(WebhookRequest request);

  /**
   * The label of the secret that the request is signed with.
   *
   * @throws RefusedException if it is signed with none
   */
  String verify(WebhookRequest request, Source source, Instant now);

  /** How this check's secrets are decoded. Always the same object. */
  Function<String, VerifyingKey> keys();

  boolean coversUrl();

  /** The request, signed. */
  WebhookRequest sign(UnsignedRequest draft);
}
