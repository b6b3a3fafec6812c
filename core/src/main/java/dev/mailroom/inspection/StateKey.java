package dev.mailroom.inspection;

import dev.mailroom.messages.Limits;

/**
 * Which state.
 *
 * @param type what kind of state, for example a process type's name
 * @param key which one of that kind
 */
public record StateKey(String type, String key) {
  /** Checks both names. */
  public StateKey {
    Limits.requireName("state type", type);
    Limits.requireName("state key", key);
  }
}
