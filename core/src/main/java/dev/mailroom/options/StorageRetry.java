package dev.mailroom.options;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How writes are retried when a store fails for a moment. A retry is safe: a message keeps its id,
 * so the store recognises a write whose outcome was unknown. Immutable and thread-safe.
 *
 * @param retries how often a failed write is retried; 0 means never
 * @param backoff how long to wait before each retry
 */
public record StorageRetry(int retries, Backoff backoff) {
  private static final StorageRetry DEFAULTS = new Builder().build();

  /** Checks the count. */
  public StorageRetry {
    Objects.requireNonNull(backoff, "backoff");
    Violations violations = new Violations("StorageRetry");
    violations.check(retries >= 0, "retries", retries, "must not be negative");
    violations.raise();
  }

  /** Three retries, after 100 ms doubling up to five seconds. */
  public static StorageRetry defaults() {
    return DEFAULTS;
  }

  /** A builder that starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Settings for reuse: {@code StorageRetry.of(retry -> retry.retries(0))}. */
  public static StorageRetry of(Consumer<Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these settings. */
  public Builder toBuilder() {
    return new Builder().retries(retries).backoff(backoff);
  }

  /** Sets how writes are retried. Not thread-safe. */
  public static final class Builder {
    private int retries = Defaults.STORAGE_RETRIES;
    private Backoff backoff = Defaults.STORAGE_BACKOFF;

    private Builder() {}

    /** How often a failed write is retried; 0 passes the first failure on. Default: 3. */
    public Builder retries(int value) {
      retries = value;
      return this;
    }

    /** How long to wait before each retry. Default: 100 ms doubling up to five seconds. */
    public Builder backoff(Backoff value) {
      backoff = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws InvalidOptionsException naming every violation
     */
    public StorageRetry build() {
      return new StorageRetry(retries, backoff);
    }
  }
}
