package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One sender of webhooks. Two accounts with one provider are two sources.
 *
 * @param name its name in URLs, handlers, metrics and the console
 * @param provider how its requests are signed and read
 * @param secrets its secrets; a request that any valid one verifies is accepted
 * @param path a second path at which it is received; null means none
 * @param publicUrl the URL that is configured at the provider, where signatures cover it
 * @param tolerance the maximum clock difference; null means the provider's default
 * @param tenant the tenant of all events; null means the tenant that an event names, if any
 * @param verifyToken the token that a handshake must contain, where the provider has one
 */
public record Source(
    String name,
    Provider provider,
    List<Secret> secrets,
    @Nullable String path,
    @Nullable String publicUrl,
    @Nullable Duration tolerance,
    @Nullable String tenant,
    @Nullable String verifyToken) {

  /** Prefer {@link #of}, whose builder checks the values. */
  public Source {
    secrets = List.copyOf(secrets);
  }

  /** A builder for a source of this name. */
  public static SourceBuilder of(String name, Provider provider) {
    return new SourceBuilder(name, provider);
  }

  /** The secret with this label. */
  public Optional<Secret> secret(String label) {
    return secrets.stream().filter(secret -> secret.label().equals(label)).findFirst();
  }

  /**
   * The deduplication key of an event of this source, for {@link Webhooks#inspect}.
   *
   * @param eventId the provider's id of the event; not blank
   */
  public String deduplicationKey(String eventId) {
    if (eventId.isBlank()) {
      throw new IllegalArgumentException("The event's id is blank.");
    }
    return StorableText.key(name + ":", eventId);
  }

  /** The name, the provider and the labels of the secrets. */
  @Override
  public String toString() {
    return "Source[" + name + ", " + provider.name() + ", " + secrets + "]";
  }
}
