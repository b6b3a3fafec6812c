package dev.mailroom.webhooks.spi;

import dev.mailroom.errors.Violations;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of one sender are verified, read and answered. It has no state of a source: the
 * source is a parameter of every call.
 *
 * <p>Thread-safe. No method blocks or keeps state.
 */
public interface Provider extends RequestVerifier, EventMapper {
  /** Its name in configurations, contracts and metrics, such as {@code stripe}. */
  String name();

  /** Reports settings of a source that do not fit this provider, such as a malformed key. */
  default void check(Source source, Violations violations) {
    violations.check(!source.secrets().isEmpty(), "secrets", "empty", "there must be at least one");
  }

  /**
   * Answers a handshake that is not signed.
   *
   * @return the whole answer, or null if this is no such request
   */
  default @Nullable WebhookResponse answerUnsignedHandshake(WebhookRequest request, Source source) {
    return null;
  }

  /**
   * Answers a handshake that is signed, after it was verified.
   *
   * @return the whole answer, or null if this request carries events
   */
  default @Nullable WebhookResponse answerSignedHandshake(
      WebhookRequest request, Source source, Verification.Verified how) {
    return null;
  }

  /**
   * {@inheritDoc}
   *
   * <p>At least one; a body that cannot be understood is an event without a type.
   */
  @Override
  List<WebhookEvent> events(WebhookRequest request, Source source);

  /** The response that this sender expects when its events are stored. */
  default Acknowledgement acknowledgement() {
    return Acknowledgement.defaults();
  }

  /** The methods of its requests, handshakes included. */
  default Set<String> methods() {
    return Set.of("POST");
  }
}
