package dev.mailroom;

import org.jspecify.annotations.Nullable;

/**
 * A payload that names what makes it the same message as another one. An explicit write option
 * takes precedence.
 */
public interface HasDeduplicationKey extends SelfDescribing {

  /** A second message with this key within the window is a duplicate; null or blank means none. */
  @Nullable String deduplicationKey();
}
