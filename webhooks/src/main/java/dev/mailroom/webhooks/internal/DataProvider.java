package dev.mailroom.webhooks.internal;

import dev.mailroom.errors.Violations;
import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The one engine: a provider that does what its data says. Immutable. */
public final class DataProvider implements Provider {
  private static final int BAD_REQUEST = 400;

  private final String name;
  private final List<SignatureCheck> checks;
  private final EventReader mapping;
  private final BiFunction<WebhookRequest, Source, @Nullable WebhookResponse> unsignedHandshake;
  private final Handshake handshake;
  private final Acknowledgement acknowledgement;
  private final Set<String> methods;
  private final boolean alwaysUnauthorized;
  private final Sample sample;

  DataProvider(ProviderData data, EventReader mapping) {
    this.name = data.name;
    this.checks = List.copyOf(data.checks);
    this.mapping = mapping;
    this.unsignedHandshake = data.unsignedHandshake;
    this.handshake = data.handshake;
    this.acknowledgement = data.acknowledgement;
    this.methods = data.methods;
    this.alwaysUnauthorized = data.alwaysUnauthorized;
    this.sample = data.sample;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void check(Source source, Violations violations) {
    Provider.super.check(source, violations);
    for (Secret secret : source.secrets()) {
      if (!secret.value().isBlank()) {
        checkKey(secret, violations);
      }
    }
    violations.check(
        source.publicUrl() != null || checks.stream().noneMatch(SignatureCheck::coversUrl),
        "publicUrl",
        "missing",
        name + " signs the URL that it was given, so it must be known here");
  }

  private void checkKey(Secret secret, Violations violations) {
    try {
      secret.key(checks.get(0).keys());
    } catch (IllegalArgumentException e) {
      violations.check(
          false, "secret '" + secret.label() + "'", "no key of " + name, "" + e.getMessage());
    }
  }

  @Override
  public @Nullable WebhookResponse answerUnsignedHandshake(WebhookRequest request, Source source) {
    return unsignedHandshake.apply(request, source);
  }

  @Override
  public Verification verify(WebhookRequest request, Source source, Instant now) {
    try {
      return new Verification.Verified(choose(request).verify(request, source, now));
    } catch (RefusedException refusal) {
      Verification.Refused refused = refusal.verdict();
      return alwaysUnauthorized && refused.reason().status() == BAD_REQUEST
          ? new Verification.Refused(Verification.Reason.BAD_SIGNATURE, refused.detail())
          : refused;
    }
  }

  /** The check that the request itself claims; the last one if it claims none. */
  private SignatureCheck choose(WebhookRequest request) {
    for (SignatureCheck check : checks) {
      if (check.applies(request)) {
        return check;
      }
    }
    return checks.get(checks.size() - 1);
  }

  @Override
  public @Nullable WebhookResponse answerSignedHandshake(
      WebhookRequest request, Source source, Verification.Verified how) {
    return handshake.answer(request, source, how);
  }

  @Override
  public List<WebhookEvent> events(WebhookRequest request, Source source) {
    return mapping.events(request, source);
  }

  @Override
  public Acknowledgement acknowledgement() {
    return acknowledgement;
  }

  @Override
  public Set<String> methods() {
    return methods;
  }

  Sample sample() {
    return sample;
  }

  /** How samples are signed. */
  SignatureCheck preferred() {
    return checks.get(0);
  }

  @Override
  public String toString() {
    return name;
  }
}
