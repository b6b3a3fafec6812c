package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Fills a provider's sample in and signs it. */
public final class Samples {
  private Samples() {}

  public static WebhookRequest make(
      DataProvider provider,
      Source source,
      String id,
      byte @Nullable [] body,
      @Nullable PrivateKey privateKey,
      Instant time) {
    Instant whole = time.truncatedTo(ChronoUnit.MILLIS);
    Sample sample = provider.sample();
    Headers.Builder headers = Headers.builder().add("Content-Type", sample.contentType());
    sample.headers().forEach((name, value) -> headers.add(name, filled(value, id, whole)));
    byte[] sent =
        body == null
            ? filled(sample.body(), id, whole).getBytes(StandardCharsets.UTF_8)
            : body.clone();
    String path = source.path() == null ? "/webhooks/" + source.name() : source.path();
    WebhookRequest request = new WebhookRequest("POST", path, query(source), headers.build(), sent);
    VerifyingKey key = source.secrets().get(0).key(provider.preferred().keys());
    Signer signer = signer(provider, key, privateKey);
    try {
      return provider
          .preferred()
          .sign(new UnsignedRequest(request, source, id, whole, signer, key.version()));
    } catch (RefusedException refusal) {
      throw new IllegalArgumentException(
          "%s signs no such request: %s".formatted(provider.name(), refusal.getMessage()), refusal);
    }
  }

  private static Signer signer(
      DataProvider provider, VerifyingKey key, @Nullable PrivateKey privateKey) {
    if (key instanceof Signer shared) {
      return shared;
    }
    if (privateKey == null) {
      throw new IllegalArgumentException(
          "A secret of %s is the public half of a key; to sign a sample the private one is needed."
              .formatted(provider.name()));
    }
    return AsymmetricKey.signer(privateKey);
  }

  private static @Nullable String query(Source source) {
    String url = source.publicUrl();
    int mark = url == null ? -1 : url.indexOf('?');
    return url == null || mark < 0 ? null : url.substring(mark + 1);
  }

  private static String filled(String text, String id, Instant time) {
    return text.replace("{id}", id)
        .replace("{seconds}", Long.toString(time.getEpochSecond()))
        .replace("{milliseconds}", Long.toString(time.toEpochMilli()))
        .replace("{time}", time.toString());
  }
}
