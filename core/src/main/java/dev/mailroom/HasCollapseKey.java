package dev.mailroom;

import org.jspecify.annotations.Nullable;

/** A payload that replaces older ones of its kind. An explicit write option takes precedence. */
public interface HasCollapseKey extends SelfDescribing {

  /**
   * A newer message with this key replaces older ones that are not leased; null or blank means
   * none.
   */
  @Nullable String collapseKey();
}
