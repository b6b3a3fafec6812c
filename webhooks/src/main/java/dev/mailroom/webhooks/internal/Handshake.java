package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Verification.Verified;
import org.jspecify.annotations.Nullable;

/** A signed request that wants an answer and carries no event. */
@FunctionalInterface
interface Handshake {
  Handshake NONE = (request, source, how) -> null;

  /** The answer, or null if this is an ordinary request. */
  @Nullable WebhookResponse answer(WebhookRequest request, Source source, Verified how);
}
