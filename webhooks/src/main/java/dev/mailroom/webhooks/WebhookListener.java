package dev.mailroom.webhooks;

/**
 * Handles webhook events of one source, without a result: returning is success, an exception is a
 * failure. As {@link WebhookHandler} otherwise.
 */
@FunctionalInterface
public interface WebhookListener {

  /**
   * Handles one event. May be called by several threads at once for different events.
   *
   * @throws Exception counts as a failure: retried with back-off, dead-lettered when the attempts
   *     run out
   */
  void onEvent(WebhookDelivery event) throws Exception;
}
