package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.EventHandler;
import dev.mailroom.mediator.EventHandlersFailedException;
import dev.mailroom.mediator.EventHandlersFailedException.Failure;
import dev.mailroom.mediator.EventMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handlers of one event. Each error goes to the error handlers where it happens, so that
 * one that is handled does not keep the other handlers from running.
 */
final class EventRun {
  private final Object event;
  private final Execution execution;
  private final boolean allErrors;
  private final List<Failure> failures = new ArrayList<>();
  private @Nullable Error fatal;
  private boolean cancelled;

  private EventRun(Object event, Execution execution, boolean allErrors) {
    this.event = event;
    this.execution = execution;
    this.allErrors = allErrors;
  }

  /** Calls them, and returns the error for the publisher, or null on success. */
  static @Nullable Exception run(Object event, Execution execution, RegisteredHandler[] handlers) {
    EventMode mode = execution.events();
    EventRun run = new EventRun(event, execution, mode.allErrors());
    for (int from = 0; from < handlers.length && run.goesOn(); ) {
      int to = mode.parallel() ? endOfEquals(handlers, from) : from + 1;
      if (to - from == 1) {
        run.callUnlessEnded(handlers[from]);
      } else {
        ParallelGroup.run(run, List.of(handlers).subList(from, to), execution.executor());
      }
      from = to;
    }
    return run.outcome();
  }

  private static int endOfEquals(RegisteredHandler[] handlers, int from) {
    int to = from + 1;
    while (to < handlers.length && handlers[to].priority() == handlers[from].priority()) {
      to++;
    }
    return to;
  }

  /** Whether more handlers are to be called. */
  synchronized boolean goesOn() {
    boolean ended = fatal != null || cancelled || execution.isAborted();
    return !ended && (allErrors || failures.isEmpty());
  }

  /** Calls one handler, unless the event's run has ended meanwhile. Never throws. */
  void callUnlessEnded(RegisteredHandler handler) {
    if (!goesOn()) {
      return;
    }
    if (execution.isCancelled()) {
      cancel();
      return;
    }
    try {
      call(handler);
    } catch (Error error) { // of the handler or of an error handler
      end(error);
    }
  }

  @SuppressWarnings("unchecked") // Its type of messages is above the event's class.
  private void call(RegisteredHandler handler) {
    try {
      ((EventHandler<Object>) handler.handler(execution)).handle(event, execution);
    } catch (Exception error) {
      if (!PipelineRun.isHandled(event, error, execution)) {
        add(new Failure(handler.description(), error));
      }
    }
  }

  private synchronized void add(Failure failure) {
    failures.add(failure);
  }

  private synchronized void cancel() {
    cancelled = true;
  }

  private synchronized void end(Error error) {
    fatal = error;
  }

  private synchronized @Nullable Exception outcome() {
    if (fatal != null) {
      throw fatal;
    }
    if (cancelled) {
      CancellationException error = execution.cancellation();
      failures.forEach(each -> error.addSuppressed(each.error()));
      throw error;
    }
    if (failures.isEmpty()) {
      return null;
    }
    if (allErrors) {
      return new EventHandlersFailedException(event.getClass(), failures);
    }
    Exception first = failures.get(0).error();
    failures.stream()
        .skip(1)
        .filter(each -> each.error() != first)
        .forEach(each -> first.addSuppressed(each.error()));
    return first;
  }
}
