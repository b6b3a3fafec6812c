package dev.mailroom.webhooks;

import dev.mailroom.Facade;
import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Receives webhooks: verifies a request by its provider's signature, stores its events, and only
 * then acknowledges them; then each handler that matches an event has to succeed once.
 *
 * <pre>{@code
 * Webhooks webhooks =
 *     Webhooks.builder()
 *         .source(
 *             Source.of("stripe", Providers.stripe()).secret("whsec_…").build(),
 *             events ->
 *                 events.on(
 *                     "charge.succeeded",
 *                     event -> payments.book(event.messageId(), event.payload(Charge.class))))
 *         .build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(webhooks).build();
 * mailroom.start();
 * WebhookResponse response = webhooks.receive(request);   // the adapters call this
 * }</pre>
 *
 * <p>Receiving works before the mailroom is started and in processes that never start it.
 * Thread-safe.
 */
public final class Webhooks implements Facade {
  private final WebhooksBuilder.Definition settings;
  private final FacadeChannel channel;
  private final RequestReceiver receiver;
  private final boolean completeUnhandled;

  Webhooks(WebhooksBuilder.Definition settings, boolean completeUnhandled) {
    this.settings = settings;
    this.completeUnhandled = completeUnhandled;
    this.channel = new FacadeChannel("webhooks", settings.name());
    this.receiver = new RequestReceiver(channel, settings.byPath(), settings.bodyLimit());
  }

  /** A builder. */
  public static WebhooksBuilder builder() {
    return new WebhooksBuilder();
  }

  /**
   * Receives a request. A successful response means that its events are stored.
   *
   * <table>
   * <caption>Responses</caption>
   * <tr><td>202</td><td>stored (or the status that the provider expects)</td></tr>
   * <tr><td>200</td><td>duplicate (or the status that the provider expects)</td></tr>
   * <tr><td>400, 401</td><td>verification failed</td></tr>
   * <tr><td>404, 405</td><td>no source at this path, or not with this method</td></tr>
   * <tr><td>413, 415</td><td>too large, or compressed</td></tr>
   * <tr><td>503</td><td>could not be stored; the sender should retry</td></tr>
   * </table>
   *
   * @throws IllegalStateException if it was not added to a mailroom
   */
  public WebhookResponse receive(WebhookRequest request) {
    channel.context();
    return receiver.receive(request);
  }

  /**
   * As {@link #receive(WebhookRequest)}, without waiting until the events are stored: for
   * asynchronous servers.
   *
   * @return completes with the response, never with an error; do not block the completing thread
   * @throws IllegalStateException if it was not added to a mailroom
   */
  public CompletionStage<WebhookResponse> receiveAsync(WebhookRequest request) {
    channel.context();
    return receiver.receiveAsync(request);
  }

  /**
   * Reads a request within the limits and receives it: for adapters to HTTP servers.
   *
   * @param method the method, in capitals
   * @param path the path of the URL, as sent
   * @param query the query of the URL, as sent; null if there is none
   * @param headers the headers
   * @param body the body; not read to its end if it is too large, and not closed
   * @throws IOException if the body cannot be read
   */
  public WebhookResponse receive(
      String method, String path, @Nullable String query, Headers.Builder headers, InputStream body)
      throws IOException {
    channel.context();
    if (headers.tooLarge()) {
      return receiver.refuse(RefusalReason.HEADERS_TOO_LARGE, null, null);
    }
    Headers read = headers.build();
    int limit = settings.bodyLimit();
    if (announced(read) > limit) {
      return receiver.refuse(RefusalReason.BODY_TOO_LARGE, null, null);
    }
    byte[] bytes = body.readNBytes(limit == Integer.MAX_VALUE ? limit : limit + 1);
    return receiver.receive(new WebhookRequest(method, path, query, read, bytes));
  }

  /** The Content-Length; 0 if it is missing or not a number. */
  private static long announced(Headers headers) {
    String length = headers.first("Content-Length");
    try {
      return length == null ? 0 : Long.parseLong(length.strip());
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  /** The channel's name. */
  public String name() {
    return channel.name();
  }

  /**
   * The dead letters of the channel.
   *
   * @throws IllegalStateException if it was not added to a mailroom
   */
  public DeadLetters deadLetters() {
    return channel.channel().deadLetters();
  }

  /**
   * Queries over the channel: counts, messages, deduplication keys.
   *
   * @throws IllegalStateException if it was not added to a mailroom
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return channel.channel().inspect();
  }

  /** The sources. */
  public List<Source> sources() {
    return settings.sources();
  }

  /** The maximum size of a body, in bytes. */
  public int bodyLimit() {
    return settings.bodyLimit();
  }

  /**
   * Handles every event that is due, on the caller's thread: for scheduled jobs, and for
   * environments where no thread runs between requests.
   *
   * @return how many events were handled, successfully or not
   */
  public long processPending() {
    return channel.context().processPending(channel.name());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.inbox(channel.name(), this::describe);
  }

  private void describe(InboxBuilder own) {
    own.options(settings.options());
    if (settings.store() != null) {
      own.store(settings.store());
    }
    if (!settings.steps().isEmpty()) {
      HandlerChain chain =
          new HandlerChain(channel.name(), settings.steps(), completeUnhandled, channel::context);
      // The chain applies its handlers' policies; the channel must not count deferrals again.
      RetryPolicy policy = settings.options().handling().retry();
      HandlerOptions relay =
          HandlerOptions.builder()
              .retry(policy.toBuilder().deferrals(Integer.MAX_VALUE).build())
              .build();
      own.handler(Payload.class, chain::handle, relay);
    }
  }

  @Override
  public void opened(FacadeContext context) {
    channel.opened(context);
  }

  @Override
  public String toString() {
    return "The webhooks '" + channel.name() + "'";
  }
}
