package dev.mailroom.spi;

import dev.mailroom.inspection.StateKey;
import dev.mailroom.messages.Payload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A new version of some state.
 *
 * @param key which state
 * @param expectedVersion the version it must have now; 0 means that there must be none
 * @param value its new value, stored as {@code expectedVersion + 1}; null removes it
 */
public record StateChange(StateKey key, long expectedVersion, @Nullable Payload value) {
  /** Checks the version. */
  public StateChange {
    Objects.requireNonNull(key, "key");
    if (expectedVersion < 0) {
      throw new IllegalArgumentException(
          "The expected version is " + expectedVersion + ": it must not be negative.");
    }
  }
}
