package dev.mailroom.inspection;

import java.util.Objects;

/**
 * A state and where it is kept.
 *
 * @param key which state
 * @param state its version and value
 */
public record StateEntry(StateKey key, StoredState state) {
  /** Refuses null. */
  public StateEntry {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(state, "state");
  }
}
