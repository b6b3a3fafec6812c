package dev.mailroom.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a processor needs to know of, and tell to, the engine around one handler call. */
public interface Call {

  /** The lease under which the messages are handled. */
  HeldLease lease();

  /** The transaction that the handler may ask for, and that must be ended after it returned. */
  HandlerTransaction transaction();

  /** The handler begins on this thread; after the timeout it is interrupted. */
  void begin(@Nullable Duration timeout);

  /** The handler has returned. */
  Ending end();

  /** How a handler's call came to its end. */
  enum Ending {
    /** By itself. */
    RETURNED,
    /** It took too long and was interrupted. */
    TIMED_OUT,
    /** The engine stops and its grace time is over. */
    STOPPED
  }
}
