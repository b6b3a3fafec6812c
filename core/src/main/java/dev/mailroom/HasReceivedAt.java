package dev.mailroom;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A payload that knows when it was received. An explicit write option takes precedence. */
public interface HasReceivedAt extends SelfDescribing {

  /** When the message came in; for display and age, never for order. Null means now. */
  @Nullable Instant receivedAt();
}
