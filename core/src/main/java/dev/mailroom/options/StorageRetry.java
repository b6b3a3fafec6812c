package dev.mailroom.options;

import dev.mailroom.errors.Violations;
import java.util.Objects;

/**
 * How writes are repeated when a store fails for a moment. Repeating is safe: a message keeps its
 * id, so that a write whose outcome was unknown is recognised.
 *
 * @param retries how often a failed write is repeated; 0 means never
 * @param backoff how long to wait before each repetition
 */
public record StorageRetry(int retries, Backoff backoff) {

  /** Three times, 100 ms doubling up to five seconds. */
  public static final StorageRetry DEFAULT =
      new StorageRetry(Defaults.STORAGE_RETRIES, Defaults.STORAGE_BACKOFF);

  /** Never: the first failure goes to the caller. */
  public static final StorageRetry NONE = new StorageRetry(0, Defaults.STORAGE_BACKOFF);

  /** Checks the count. */
  public StorageRetry {
    Objects.requireNonNull(backoff, "backoff");
    Violations violations = new Violations("StorageRetry");
    violations.check(retries >= 0, "retries", retries, "must not be negative");
    violations.raise();
  }
}
