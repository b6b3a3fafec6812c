package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.time.Instant;
import java.util.Map;

/**
 * A request that is still to be signed.
 *
 * @param id its id, for providers that sign one
 * @param version which kind of signature, for providers that have several
 */
record UnsignedRequest(
    WebhookRequest request, Source source, String id, Instant time, Signer signer, String version) {

  /** A request with more headers, and with this body. */
  static WebhookRequest with(WebhookRequest request, Map<String, String> added, byte[] body) {
    Headers.Builder headers = Headers.builder();
    for (String name : request.headers().names()) {
      request.headers().all(name).forEach(value -> headers.add(name, value));
    }
    added.forEach(headers::add);
    return new WebhookRequest(
        request.method(), request.path(), request.query(), headers.build(), body);
  }
}
