package dev.mailroom.webhooks;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Receipt;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Receives requests: checks limits, finds the source, answers handshakes, verifies, reads, stores,
 * and only then acknowledges. Every failure becomes a response; no exception reaches the caller.
 */
final class RequestReceiver {
  private static final String STORING = "Events cannot be stored";

  private final FacadeChannel channel;
  private final Map<String, Source> byPath;
  private final int bodyLimit;
  private final FailureLog failures = new FailureLog();
  private final RefusalLog refusals;

  RequestReceiver(FacadeChannel channel, Map<String, Source> byPath, int bodyLimit) {
    this.channel = channel;
    this.byPath = byPath;
    this.bodyLimit = bodyLimit;
    this.refusals = new RefusalLog(() -> channel.context().time());
  }

  /** Receives a request; returns when its events are stored. */
  WebhookResponse receive(WebhookRequest request) {
    Checked checked = check(request);
    if (checked instanceof Answered answered) {
      return answered.answer();
    }
    Accepted accepted = (Accepted) checked;
    List<Receipt> receipts;
    try {
      receipts = accepted.store(channel.channel());
    } catch (RuntimeException | Error error) {
      return notStored(accepted, error);
    }
    return stored(accepted, receipts);
  }

  /** Receives a request; completes when its events are stored. */
  CompletionStage<WebhookResponse> receiveAsync(WebhookRequest request) {
    Checked checked = check(request);
    if (checked instanceof Answered answered) {
      return CompletableFuture.completedStage(answered.answer());
    }
    Accepted accepted = (Accepted) checked;
    CompletionStage<List<Receipt>> receipts;
    try {
      receipts = accepted.storeAsync(channel.channel());
    } catch (RuntimeException | Error error) {
      return CompletableFuture.completedStage(notStored(accepted, error));
    }
    return receipts.handle(
        (all, error) -> error == null ? stored(accepted, all) : notStored(accepted, error));
  }

  /** The result of the checks before anything is stored. */
  private sealed interface Checked {}

  /** There is nothing to store. */
  private record Answered(WebhookResponse answer) implements Checked {}

  /** There are events to store, verified with the secret of that label. */
  private record Accepted(
      Source source, @Nullable String peer, String secret, List<WebhookEvent> events, Instant now)
      implements Checked {
    List<Receipt> store(MessageChannel channel) {
      return EventWriter.store(channel, source, secret, events, now);
    }

    CompletionStage<List<Receipt>> storeAsync(MessageChannel channel) {
      return EventWriter.storeAsync(channel, source, secret, events, now);
    }
  }

  private Checked check(WebhookRequest request) {
    if (request.body().length > bodyLimit) {
      return new Answered(refuse(RefusalReason.BODY_TOO_LARGE, null, request.peer()));
    }
    Source source = byPath.get(request.path());
    if (source == null) {
      return new Answered(refuse(RefusalReason.UNKNOWN_SOURCE, null, request.peer()));
    }
    try {
      Checked checked = check(request, source);
      failures.succeeded(() -> failingProvider(source));
      return checked;
    } catch (RuntimeException | Error error) {
      return new Answered(providerFailed(source, request.peer(), error));
    }
  }

  private WebhookResponse providerFailed(Source source, @Nullable String peer, Throwable error) {
    failures.failed(failingProvider(source), error);
    return refuse(RefusalReason.PROVIDER_FAILED, source, peer);
  }

  private static String failingProvider(Source source) {
    return "Provider '"
        + source.provider().name()
        + "' of source '"
        + source.name()
        + "' throws an exception";
  }

  private Checked check(WebhookRequest request, Source source) {
    Provider provider = source.provider();
    if (!provider.methods().contains(request.method())) {
      refuse(RefusalReason.METHOD_NOT_ALLOWED, source, request.peer());
      String allowed = String.join(", ", new TreeSet<>(provider.methods()));
      return new Answered(RefusalReason.METHOD_NOT_ALLOWED.response("Allow", allowed));
    }
    if (isEncoded(request)) {
      refuse(RefusalReason.UNSUPPORTED_ENCODING, source, request.peer());
      return new Answered(
          RefusalReason.UNSUPPORTED_ENCODING.response("Accept-Encoding", "identity"));
    }
    WebhookResponse handshake = provider.answerUnsignedHandshake(request, source);
    if (handshake != null) {
      return new Answered(handshake);
    }
    Instant now = channel.context().time().now();
    Verification verification = provider.verify(request, source, now);
    if (verification instanceof Verification.Refused refused) {
      note(
          new RefusalLog.Refused(
              source.name(),
              RefusalReason.code(refused.reason()),
              request.peer(),
              refused.skew(),
              refused.detail()));
      return new Answered(RefusalReason.response(refused.reason()));
    }
    Verification.Verified verified = (Verification.Verified) verification;
    WebhookResponse answer = provider.answerSignedHandshake(request, source, verified);
    if (answer != null) {
      return new Answered(answer);
    }
    List<WebhookEvent> events = provider.events(request, source);
    if (events.size() > Limits.APPEND_BATCH) {
      return new Answered(refuse(RefusalReason.TOO_MANY_EVENTS, source, request.peer()));
    }
    return new Accepted(source, request.peer(), verified.secret(), events, now);
  }

  private static boolean isEncoded(WebhookRequest request) {
    String encoding = request.headers().first("Content-Encoding");
    return encoding != null
        && !encoding.isBlank()
        && !encoding.strip().equalsIgnoreCase("identity");
  }

  private WebhookResponse stored(Accepted accepted, List<Receipt> receipts) {
    failures.succeeded(() -> STORING);
    try {
      return acknowledge(accepted.source(), receipts);
    } catch (RuntimeException | Error error) {
      return providerFailed(accepted.source(), accepted.peer(), error);
    }
  }

  private WebhookResponse notStored(Accepted accepted, Throwable error) {
    Source source = accepted.source();
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause instanceof InvalidMessageException tooLarge) {
      failures.failed("An event of source '" + source.name() + "' cannot be stored", tooLarge);
      return refuse(RefusalReason.EVENT_TOO_LARGE, source, accepted.peer());
    }
    failures.failed(STORING, cause);
    return refuse(RefusalReason.STORE_UNAVAILABLE, source, accepted.peer());
  }

  private WebhookResponse acknowledge(Source source, List<Receipt> receipts) {
    long duplicates = receipts.stream().filter(Receipt::isDuplicate).count();
    long stored = receipts.size() - duplicates;
    Telemetry.Tags tags = new Telemetry.Tags(channel.name(), null, null, source.name(), null);
    Telemetry telemetry = channel.context().telemetry();
    if (stored > 0) {
      telemetry.count(Counter.EVENT_RECEIVED, tags, stored);
    }
    if (duplicates > 0) {
      telemetry.count(Counter.EVENT_DUPLICATE, tags, duplicates);
    }
    Acknowledgement acknowledgement = source.provider().acknowledgement();
    return stored > 0 ? acknowledgement.stored() : acknowledgement.duplicate();
  }

  WebhookResponse refuse(RefusalReason refusal, @Nullable Source source, @Nullable String peer) {
    note(
        new RefusalLog.Refused(
            source == null ? null : source.name(), refusal.code(), peer, null, ""));
    return refusal.response();
  }

  private void note(RefusalLog.Refused request) {
    Telemetry.Tags tags =
        new Telemetry.Tags(channel.name(), null, null, request.source(), request.reason());
    channel.context().telemetry().count(Counter.REQUEST_REFUSED, tags, 1);
    refusals.add(request);
  }
}
