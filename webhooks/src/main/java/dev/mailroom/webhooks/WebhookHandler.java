package dev.mailroom.webhooks;

import dev.mailroom.Result;
import java.time.Duration;

/**
 * Handles webhook events, as one handler of a chain: the handlers that match an event run one after
 * another, in the order in which they were registered, and each has to succeed once. Delivery is at
 * least once: after a crash a handler can see an event again, so make side effects idempotent by
 * {@link WebhookDelivery#messageId}.
 */
@FunctionalInterface
public interface WebhookHandler {

  /**
   * Handles one event. May be called by several threads at once for different events.
   *
   * @return success: the next handler runs, or the event is done. Any other result stops the chain:
   *     after a failure it is retried from this handler on with this handler's back-off, and
   *     dead-lettered when this handler's attempts run out; {@link Result#retryLater(Duration)}
   *     retries later without counting an attempt; {@link Result#deadLetter} dead-letters at once
   * @throws Exception the same as returning {@link Result#fail(Throwable)}
   */
  Result handle(WebhookDelivery event) throws Exception;
}
