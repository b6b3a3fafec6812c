package dev.mailroom.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of a handler: its lease, its transaction, its start and its end. */
public interface HandlerInvocation {

  /** The lease under which the messages are handled. */
  HeldLease lease();

  /**
   * The transaction that the handler may begin; the processor ends it after the handler returned.
   */
  HandlerTransaction transaction();

  /** The handler begins on this thread; after the timeout it is interrupted. */
  void begin(@Nullable Duration timeout);

  /** The handler has returned. */
  EndReason end();

  /** Why a handler call ended. */
  enum EndReason {
    /** The handler returned or threw. */
    RETURNED,
    /** The handler exceeded its timeout and was interrupted. */
    TIMED_OUT,
    /** The engine is stopping and the shutdown grace has elapsed. */
    STOPPED
  }
}
