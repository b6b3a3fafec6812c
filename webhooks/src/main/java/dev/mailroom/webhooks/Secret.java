package dev.mailroom.webhooks;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a sender and we know, or the public half of what only the sender knows. Its label is shown
 * and recorded; its value never is. Immutable.
 */
public final class Secret {
  private final String label;
  private final String value;
  private final @Nullable Instant expiresAt;

  private volatile @Nullable Decoded decoded;

  private Secret(String label, String value, @Nullable Instant expiresAt) {
    this.label = Objects.requireNonNull(label, "label");
    this.value = Objects.requireNonNull(value, "value");
    this.expiresAt = expiresAt;
  }

  /** A secret that does not expire. */
  public static Secret of(String label, String value) {
    return new Secret(label, value, null);
  }

  /** The same secret until this time: what a former one needs, after it was replaced. */
  public Secret expiringAt(Instant time) {
    return new Secret(label, value, Objects.requireNonNull(time, "time"));
  }

  /** How people tell it from others. */
  public String label() {
    return label;
  }

  /** The secret itself, as the provider shows it. Not for logs or errors. */
  public String value() {
    return value;
  }

  /** From when on nothing is accepted by it; null means never. */
  public @Nullable Instant expiresAt() {
    return expiresAt;
  }

  /** Whether it still counts at this time. */
  public boolean isLive(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }

  /**
   * The key that this secret stands for. It is made once and kept while the same function asks, so
   * that no request pays for decoding.
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
