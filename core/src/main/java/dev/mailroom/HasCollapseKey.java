package dev.mailroom;

import org.jspecify.annotations.Nullable;

/** A payload that replaces older ones of its kind. An explicit write option goes before it. */
public interface HasCollapseKey extends SelfDescribing {

  /**
   * A newer message with this key replaces older ones that nobody has leased; null or blank means
   * none.
   */
  @Nullable String collapseKey();
}
