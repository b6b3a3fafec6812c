package dev.mailroom;

import org.jspecify.annotations.Nullable;

/** A payload that names its group. An explicit write option takes precedence. */
public interface HasGroupKey extends SelfDescribing {

  /** The group whose messages are handled one after another; null or blank means none. */
  @Nullable String groupKey();
}
