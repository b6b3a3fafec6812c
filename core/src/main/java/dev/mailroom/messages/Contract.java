package dev.mailroom.messages;

import dev.mailroom.errors.InvalidMessageException;

/**
 * A stable name and version for a payload type: what is stored instead of a class name, so that
 * renaming or moving a class changes nothing stored.
 *
 * @param name the stable name, for example {@code orders.order-placed}; not blank, at most {@value
 *     Limits#KEY_LENGTH} characters
 * @param version the payload's version, at least 1
 */
public record Contract(String name, int version) {

  /** Checks the name and the version. */
  public Contract {
    Limits.requireName("contract name", name);
    if (version < 1) {
      throw new InvalidMessageException(
          "The version of contract '" + name + "' is " + version + ": it must be at least 1.");
    }
  }

  @Override
  public String toString() {
    return name + " v" + version;
  }
}
