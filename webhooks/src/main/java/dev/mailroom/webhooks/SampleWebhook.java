package dev.mailroom.webhooks;

import dev.mailroom.webhooks.internal.DataProvider;
import dev.mailroom.webhooks.internal.Samples;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests as a provider would send them, signed with a source's secret: to try a receiver,
 * and for tests. Immutable.
 */
public final class SampleWebhook {
  private final Source source;
  private final DataProvider provider;
  private final String id;
  private final byte @Nullable [] body;
  private final @Nullable PrivateKey key;

  private SampleWebhook(
      Source source,
      DataProvider provider,
      String id,
      byte @Nullable [] body,
      @Nullable PrivateKey key) {
    this.source = source;
    this.provider = provider;
    this.id = id;
    this.body = body;
    this.key = key;
  }

  /**
   * A sample for this source, signed with its first secret.
   *
   * @throws IllegalArgumentException if the source's provider is neither built in nor made by
   *     {@link Providers#hmac}
   */
  public static SampleWebhook of(Source source) {
    if (source.provider() instanceof DataProvider provider) {
      return new SampleWebhook(source, provider, "sample-1", null, null);
    }
    throw new IllegalArgumentException(
        "How '%s' signs is known to its own code only; samples are for built-in providers."
            .formatted(source.provider().name()));
  }

  /** With this id of the event, so that it is no duplicate of another sample. */
  public SampleWebhook id(String value) {
    return new SampleWebhook(source, provider, Objects.requireNonNull(value), body, key);
  }

  /** With this body instead of the provider's sample. */
  public SampleWebhook body(byte[] value) {
    return new SampleWebhook(source, provider, id, value.clone(), key);
  }

  /** As {@link #body(byte[])}, in UTF-8. */
  public SampleWebhook body(String value) {
    return body(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Signed with this key, where the source has only the public half of it. */
  public SampleWebhook signedBy(PrivateKey value) {
    return new SampleWebhook(source, provider, id, body, value);
  }

  /**
   * The request.
   *
   * @param time when it says it was made
   * @throws IllegalArgumentException if a private key is needed and none was given, or the provider
   *     could not sign this body
   */
  public WebhookRequest at(Instant time) {
    return Samples.make(provider, source, id, body, key, time);
  }
}
