package dev.mailroom;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A payload that brings its own message id. An explicit write option takes precedence. */
public interface HasMessageId extends SelfDescribing {

  /**
   * The message's identity; writing the same one twice is a duplicate. Null means a new one is
   * made.
   */
  @Nullable UUID messageId();
}
