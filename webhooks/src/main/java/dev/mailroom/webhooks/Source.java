package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One sender that is listened to. Two accounts with one provider are two sources.
 *
 * @param name what it is called in URLs, handlers, metrics and the console
 * @param provider how its requests are signed and read
 * @param secrets those that count; a request passes by any of them
 * @param path where it is received, if not at the common address
 * @param publicUrl the URL that the sender was given, where signatures cover it
 * @param tolerance how far a request's time may be from ours; null means as the provider says
 * @param tenant whose events these are; null means as the events say, if they do
 * @param verifyToken what a handshake must know, where the provider has one of that kind
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

  /** Made by {@link #of}, which checks more than this does. */
  public Source {
    secrets = List.copyOf(secrets);
  }

  /** Starts a source of this name. */
  public static SourceBuilder of(String name, Provider provider) {
    return new SourceBuilder(name, provider);
  }

  /** The secret with this label. */
  public Optional<Secret> secret(String label) {
    return secrets.stream().filter(secret -> secret.label().equals(label)).findFirst();
  }

  /**
   * The deduplication key under which an event of this source with that id is stored: with it an
   * event is found at once by {@code inspect()} of the webhooks' inbox.
   *
   * @param eventId the provider's id of the event; one that is blank identifies nothing
   */
  public String deduplicationKey(String eventId) {
    if (eventId.isBlank()) {
      throw new IllegalArgumentException("The event's id is blank.");
    }
    return StorableText.key(name + ":", eventId);
  }

  /** Everything but the token. */
  @Override
  public String toString() {
    return "Source[" + name + ", " + provider.name() + ", " + secrets + "]";
  }
}
