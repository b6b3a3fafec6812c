package dev.mailroom.webhooks;

import dev.mailroom.Result;

/**
 * Handles events of webhooks, as one of a chain: the handlers that an event is for run one after
 * another, in the order in which they were registered, and each has to succeed once. At least once:
 * after a crash a handler can see an event again, so side effects are made idempotent by {@link
 * WebhookDelivery#messageId}.
 */
@FunctionalInterface
public interface WebhookHandler {

  /**
   * Describes which events a handler is for and what becomes of its failures.
   *
   * @param name its stable name: what it has done is stored under it, so a handler that is renamed
   *     begins anew with the events that are under way
   */
  static WebhookHandlerOptions named(String name) {
    return WebhookHandlerOptions.named(name);
  }

  /**
   * Handles one event. May be called by several threads at once for different events.
   *
   * @return success: the next handler runs, or the event is done. Anything else stops the chain:
   *     failed, and it is tried again from this handler on, after its own back-off, dead when its
   *     own attempts run out; {@link Result#retry}, later, uncounted; {@link Result#deadLetter}
   * @throws Exception the same as to answer {@link Result#failed(Throwable)}
   */
  Result handle(WebhookDelivery event) throws Exception;
}
