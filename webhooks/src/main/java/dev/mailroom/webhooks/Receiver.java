package dev.mailroom.webhooks;

import dev.mailroom.Inbox;
import dev.mailroom.InvalidMessageException;
import dev.mailroom.Mailroom;
import dev.mailroom.Receipt;
import dev.mailroom.spi.FacadeInbox;
import dev.mailroom.spi.Limits;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests: limits, finds the source, answers handshakes, verifies, reads, stores, and only
 * then acknowledges. Whatever happens there is an answer, and it is never that of a program that
 * fell over.
 */
final class Receiver {
  private static final String STORING = "Events cannot be stored";

  private final FacadeInbox inbox;
  private final Map<String, Source> byPath;
  private final int bodyLimit;
  private final Trouble trouble = new Trouble();

  Receiver(FacadeInbox inbox, Map<String, Source> byPath, int bodyLimit) {
    this.inbox = inbox;
    this.byPath = byPath;
    this.bodyLimit = bodyLimit;
  }

  WebhookResponse receive(WebhookRequest request) {
    if (request.body().length > bodyLimit) {
      return refuse(Refusal.BODY_TOO_LARGE, null);
    }
    Source source = byPath.get(request.path());
    if (source == null) {
      return refuse(Refusal.UNKNOWN_SOURCE, null);
    }
    try {
      WebhookResponse response = receive(request, source);
      trouble.wentWell(() -> failingProvider(source));
      return response;
    } catch (RuntimeException | Error error) {
      trouble.failed(failingProvider(source), error);
      return refuse(Refusal.PROVIDER_FAILED, source);
    }
  }

  private static String failingProvider(Source source) {
    return "Provider '"
        + source.provider().name()
        + "' of source '"
        + source.name()
        + "' throws where it must answer";
  }

  private WebhookResponse receive(WebhookRequest request, Source source) {
    Provider provider = source.provider();
    if (!provider.methods().contains(request.method())) {
      count(Refusal.METHOD_NOT_ALLOWED.code(), source);
      String allowed = String.join(", ", new TreeSet<>(provider.methods()));
      return Refusal.METHOD_NOT_ALLOWED.response("Allow", allowed);
    }
    if (isEncoded(request)) {
      count(Refusal.UNSUPPORTED_ENCODING.code(), source);
      return Refusal.UNSUPPORTED_ENCODING.response("Accept-Encoding", "identity");
    }
    WebhookResponse greeting = provider.greet(request, source);
    if (greeting != null) {
      return greeting;
    }
    Instant now = inbox.mailroom().time().now();
    Verification verification = provider.verify(request, source, now);
    if (verification instanceof Verification.Refused refused) {
      count(Refusal.code(refused.reason()), source);
      return Refusal.response(refused.reason());
    }
    Verification.Verified verified = (Verification.Verified) verification;
    WebhookResponse answer = provider.answer(request, source, verified);
    if (answer != null) {
      return answer;
    }
    List<WebhookEvent> events = provider.events(request, source);
    return events.size() > Limits.APPEND_BATCH
        ? refuse(Refusal.TOO_MANY_EVENTS, source)
        : store(source, verified.secret(), events, now);
  }

  private static boolean isEncoded(WebhookRequest request) {
    String encoding = request.headers().first("Content-Encoding");
    return encoding != null
        && !encoding.isBlank()
        && !encoding.strip().equalsIgnoreCase("identity");
  }

  private WebhookResponse store(
      Source source, String secret, List<WebhookEvent> events, Instant now) {
    Inbox target = inbox.inbox();
    List<Receipt> receipts;
    try {
      receipts = Intake.store(target, source, secret, events, now);
      trouble.wentWell(() -> STORING);
    } catch (InvalidMessageException tooLarge) {
      trouble.failed("An event of source '" + source.name() + "' cannot be stored", tooLarge);
      return refuse(Refusal.EVENT_TOO_LARGE, source);
    } catch (RuntimeException error) {
      trouble.failed(STORING, error);
      return refuse(Refusal.STORE_UNAVAILABLE, source);
    }
    return acknowledge(source, receipts);
  }

  private WebhookResponse acknowledge(Source source, List<Receipt> receipts) {
    long duplicates = receipts.stream().filter(Receipt::isDuplicate).count();
    long stored = receipts.size() - duplicates;
    Telemetry.Tags tags = new Telemetry.Tags(inbox.name(), null, null, source.name(), null);
    Telemetry telemetry = inbox.mailroom().telemetry();
    if (stored > 0) {
      telemetry.count(Counter.EVENT_RECEIVED, tags, stored);
    }
    if (duplicates > 0) {
      telemetry.count(Counter.EVENT_DUPLICATE, tags, duplicates);
    }
    Acknowledgement acknowledgement = source.provider().acknowledgement();
    return stored > 0 ? acknowledgement.stored() : acknowledgement.duplicate();
  }

  WebhookResponse refuse(Refusal refusal, @Nullable Source source) {
    count(refusal.code(), source);
    return refusal.response();
  }

  private void count(String reason, @Nullable Source source) {
    Mailroom mailroom = inbox.mailroom();
    String name = source == null ? null : source.name();
    mailroom
        .telemetry()
        .count(
            Counter.REQUEST_REFUSED, new Telemetry.Tags(inbox.name(), null, null, name, reason), 1);
  }
}
