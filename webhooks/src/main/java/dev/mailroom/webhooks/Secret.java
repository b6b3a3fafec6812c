package dev.mailroom.webhooks;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A secret shared with a sender, or the sender's public key. Its label is shown and stored; its
 * value never is. Immutable and thread-safe.
 */
public final class Secret {
  private final String label;
  private final String value;
  private final @Nullable Instant expiresAt;

  private volatile @Nullable Decoded decoded;

  private Secret(String label, String value, @Nullable Instant expiresAt) {
    this.label = Objects.requireNonNull(label, "label");
    this.value =
        Objects.requireNonNull(value, () -> "The secret '" + label + "' is null: set its value.");
    this.expiresAt = expiresAt;
  }

  /** A secret that does not expire. */
  public static Secret of(String label, String value) {
    return new Secret(label, value, null);
  }

  /** The same secret, valid until this time: for the previous one, after a rotation. */
  public Secret expiringAt(Instant time) {
    return new Secret(label, value, Objects.requireNonNull(time, "time"));
  }

  /** Its name for people. */
  public String label() {
    return label;
  }

  /** The secret itself, as the provider shows it. Not for logs or errors. */
  public String value() {
    return value;
  }

  /** When it expires; null means never. */
  public @Nullable Instant expiresAt() {
    return expiresAt;
  }

  /** Whether it is valid at this time. */
  public boolean isLive(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }

  /**
   * The decoded key. It is cached for the last decoder, so that requests do not pay for decoding.
   */
  @SuppressWarnings("unchecked") // the same function makes the same type
  public <K> K key(Function<String, K> decoder) {
    Decoded kept = decoded;
    if (kept == null || kept.decoder != decoder) {
      kept = new Decoded(decoder, Objects.requireNonNull(decoder.apply(value)));
      decoded = kept;
    }
    return (K) kept.key;
  }

  /** The label, and not the secret. */
  @Override
  public String toString() {
    return "Secret[" + label + (expiresAt == null ? "" : ", until " + expiresAt) + "]";
  }

  private record Decoded(Function<String, ?> decoder, Object key) {}
}
