package dev.mailroom.webhooks.spi;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.time.Instant;

/** Verifies that a request comes from its sender. */
@FunctionalInterface
public interface RequestVerifier {
  /**
   * Whether the request is from the source, and was made about now. Tries every secret that is
   * live, compares in constant time, and never throws for what a request contains.
   *
   * @param now the time, for secrets that expire and for requests that say when they were made
   */
  Verification verify(WebhookRequest request, Source source, Instant now);
}
