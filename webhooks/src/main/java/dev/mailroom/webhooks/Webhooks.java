package dev.mailroom.webhooks;

import dev.mailroom.Facade;
import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
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
 * Receives webhooks: a request is verified as its provider signs, stored, and only then
 * acknowledged; then each handler that its events are for succeeds once.
 *
 * <pre>{@code
 * Webhooks webhooks =
 *     Webhooks.builder()
 *         .source(Source.of("stripe", Providers.stripe()).secret("whsec_…").build())
 *         .handler(
 *             WebhookHandler.named("book-payment").source("stripe").type("charge.*"),
 *             event -> {
 *               payments.book(event.messageId(), event.payload(Charge.class));
 *               return Result.success();
 *             })
 *         .build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(webhooks).build();
 * mailroom.start();
 * WebhookResponse answer = webhooks.receive(request);   // what the adapters do
 * }</pre>
 *
 * <p>Receiving works before the mailroom is started and in processes that never start it. Safe for
 * use by many threads.
 */
public final class Webhooks implements Facade {
  private final WebhooksBuilder.Description description;
  private final FacadeChannel inbox;
  private final Receiver receiver;
  private final boolean completeUnhandled;

  Webhooks(WebhooksBuilder.Description description, boolean completeUnhandled) {
    this.description = description;
    this.completeUnhandled = completeUnhandled;
    this.inbox = new FacadeChannel("webhooks", description.name());
    this.receiver = new Receiver(inbox, description.byPath(), description.bodyLimit());
  }

  /** Describes webhooks. */
  public static WebhooksBuilder builder() {
    return new WebhooksBuilder();
  }

  /**
   * Takes a request and answers it; when it answers with success, its events are stored.
   *
   * <table>
   * <caption>Answers</caption>
   * <tr><td>202</td><td>stored (or as the provider wants it)</td></tr>
   * <tr><td>200</td><td>stored before (or as the provider wants it)</td></tr>
   * <tr><td>400, 401</td><td>not verified: malformed, or not proven</td></tr>
   * <tr><td>404, 405</td><td>no source at this path, or not with this method</td></tr>
   * <tr><td>413, 415</td><td>too large, or compressed</td></tr>
   * <tr><td>503</td><td>could not be stored; the sender should try again</td></tr>
   * </table>
   *
   * @throws IllegalStateException if it was not added to a mailroom
   */
  public WebhookResponse receive(WebhookRequest request) {
    inbox.context();
    return receiver.receive(request);
  }

  /**
   * Takes a request as {@link #receive(WebhookRequest)} does, without waiting until its events are
   * stored: for servers that answer without a thread for each request.
   *
   * @return completes with the answer, never with an error, on a thread that must not be kept for
   *     long
   * @throws IllegalStateException if it was not added to a mailroom
   */
  public CompletionStage<WebhookResponse> receiveAsync(WebhookRequest request) {
    inbox.context();
    return receiver.receiveAsync(request);
  }

  /**
   * Reads a request as a server has it, and no more of it than the limits allow, and takes it: for
   * those who adapt this to a server.
   *
   * @param method the method, in capitals
   * @param path the path of the URL, as sent
   * @param query the query of the URL, as sent; null if there is none
   * @param headers the headers
   * @param body the body; neither read to its end if it is too large, nor closed
   * @throws IOException if the body cannot be read
   */
  public WebhookResponse receive(
      String method, String path, @Nullable String query, Headers.Builder headers, InputStream body)
      throws IOException {
    inbox.context();
    if (headers.tooLarge()) {
      return receiver.refuse(Refusal.HEADERS_TOO_LARGE, null, null);
    }
    Headers read = headers.build();
    int limit = description.bodyLimit();
    if (announced(read) > limit) {
      return receiver.refuse(Refusal.BODY_TOO_LARGE, null, null);
    }
    byte[] bytes = body.readNBytes(limit == Integer.MAX_VALUE ? limit : limit + 1);
    return receiver.receive(new WebhookRequest(method, path, query, read, bytes));
  }

  /** How long the body says it is; a length that is missing or none says nothing. */
  private static long announced(Headers headers) {
    String length = headers.first("Content-Length");
    try {
      return length == null ? 0 : Long.parseLong(length.strip());
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  /** Who is listened to. */
  public List<Source> sources() {
    return description.sources();
  }

  /** The largest body that is read, in bytes. */
  public int bodyLimit() {
    return description.bodyLimit();
  }

  /**
   * Handles every event that is due, on the caller's thread: for jobs, and for places where nothing
   * runs between requests.
   *
   * @return how many events were handled, successfully or not
   */
  public long processPending() {
    return inbox.context().processPending(inbox.name());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.inbox(inbox.name(), this::describe);
  }

  private void describe(InboxBuilder own) {
    own.options(description.options());
    if (description.store() != null) {
      own.store(description.store());
    }
    if (!description.steps().isEmpty()) {
      Chain chain =
          new Chain(inbox.name(), description.steps(), completeUnhandled, inbox::mailroom);
      // The chain judges by its handlers' policies; what it lets through is not counted again.
      RetryPolicy policy = description.options().handling().retry();
      HandlerOptions relay =
          HandlerOptions.builder().retry(policy.toBuilder().deferrals(Integer.MAX_VALUE).build()).build();
      own.handler(Payload.class, chain::handle, relay);
    }
  }

  @Override
  public void opened(FacadeContext context) {
    inbox.opened(context);
  }

  @Override
  public String toString() {
    return "The webhooks '" + inbox.name() + "'";
  }
}
