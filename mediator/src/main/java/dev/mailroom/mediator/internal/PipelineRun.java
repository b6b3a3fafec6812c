package dev.mailroom.mediator.internal;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.CommandHandler;
import dev.mailroom.mediator.ErrorHandler;
import dev.mailroom.mediator.ErrorOutcome;
import dev.mailroom.mediator.PostHandler;
import dev.mailroom.mediator.PreHandler;
import dev.mailroom.mediator.Query;
import dev.mailroom.mediator.QueryHandler;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.mediator.ResultCommandHandler;
import dev.mailroom.mediator.StreamQuery;
import dev.mailroom.mediator.StreamQueryHandler;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the stages for one message. RegisteredHandler has checked that a handler's type of messages
 * is above the message's class, which is what the unchecked casts rely on.
 */
@SuppressWarnings("unchecked")
final class PipelineRun {
  private PipelineRun() {}

  /** Runs a command, a query or an event to its end, and answers with its result. */
  static @Nullable Object run(Object message, Execution execution) {
    try {
      Object result = throughStages(message, execution);
      execution.close();
      return result;
    } catch (Throwable error) {
      closeAfter(error, execution);
      throw error;
    }
  }

  /** Runs a stream query; its scope stays open until the stream is read or closed. */
  static Stream<?> open(Object query, Execution execution) {
    try {
      Object result = throughStages(query, execution);
      if (result == null) {
        throw new MailroomException(
            "The handler of "
                + execution.pipeline().type().getName()
                + " answered null: answer with an empty stream where there is nothing.");
      }
      return StreamReading.of((Stream<?>) result, query, execution);
    } catch (Throwable error) {
      closeAfter(error, execution);
      throw error;
    }
  }

  private static void closeAfter(Throwable error, Execution execution) {
    try {
      execution.close();
    } catch (RuntimeException another) {
      error.addSuppressed(another);
    }
  }

  private static @Nullable Object throughStages(Object message, Execution execution) {
    HandlerSelection selection = execution.selection();
    Exception failed = null;
    try {
      if (before(message, execution, selection)) {
        failed = handle(message, execution, selection);
        if (failed == null) {
          after(message, execution, selection);
        }
      }
    } catch (Exception error) {
      recover(message, error, execution);
    }
    if (failed != null) {
      throw SneakyThrow.rethrow(failed);
    }
    return execution.result();
  }

  /** Validators and pre-handlers; answers whether the handler is next. */
  private static boolean before(Object message, Execution execution, HandlerSelection selection)
      throws Exception {
    if (selection.validators.length > 0) {
      CollectedProblems.validate(message, execution, selection.validators);
    }
    for (RegisteredHandler each : selection.before) {
      if (execution.isAborted()) {
        return false;
      }
      execution.proceed();
      ((PreHandler<Object>) each.handler(execution)).before(message, execution);
    }
    if (execution.isAborted()) {
      return false;
    }
    execution.proceed();
    return true;
  }

  /**
   * Calls the handler, or all of an event's. What goes wrong in an event's handlers has been to the
   * error handlers when it is answered here; all else is thrown.
   */
  private static @Nullable Exception handle(
      Object message, Execution execution, HandlerSelection selection) throws Exception {
    MessageKind kind = execution.pipeline().kind();
    if (kind == MessageKind.EVENT) {
      return EventRun.run(message, execution, selection.listeners);
    }
    Object handler = Objects.requireNonNull(selection.main, "main").handler(execution);
    Object result =
        switch (kind) {
          case RESULT_COMMAND ->
              ((ResultCommandHandler<ResultCommand<Object>, Object>) handler)
                  .handle((ResultCommand<Object>) message, execution);
          case QUERY ->
              ((QueryHandler<Query<Object>, Object>) handler)
                  .handle((Query<Object>) message, execution);
          case STREAM_QUERY ->
              ((StreamQueryHandler<StreamQuery<Object>, Object>) handler)
                  .handle((StreamQuery<Object>) message, execution);
          default -> {
            ((CommandHandler<Command>) handler).handle((Command) message, execution);
            yield null;
          }
        };
    if (!execution.isAborted()) {
      execution.answered(result);
    }
    return null;
  }

  /** Once the handler has run, cancellation comes too late: these run all the same. */
  private static void after(Object message, Execution execution, HandlerSelection selection)
      throws Exception {
    for (RegisteredHandler each : selection.after) {
      if (execution.isAborted()) {
        return;
      }
      ((PostHandler<Object>) each.handler(execution)).after(message, execution.result(), execution);
    }
  }

  /** Returns if an error handler handled it, and throws the error otherwise. */
  static void recover(Object message, Exception error, Execution execution) {
    execution.failed();
    if (!isHandled(message, error, execution)) {
      throw SneakyThrow.rethrow(error);
    }
    if (execution.pipeline().kind().hasResult() && !execution.isAnswered()) {
      throw new MailroomException(
          "An error handler of "
              + execution.pipeline().type().getName()
              + " handled the error but gave no result: call replaceResult before.",
          error);
    }
  }

  /** Asks the error handlers, until one says that it handled the error. */
  static boolean isHandled(Object message, Exception error, Execution execution) {
    for (RegisteredHandler each : execution.selection().onError) {
      try {
        ErrorHandler<Object> handler = (ErrorHandler<Object>) each.handler(execution);
        if (handler.onError(message, error, execution) == ErrorOutcome.HANDLED) {
          return true;
        }
      } catch (Exception another) {
        if (another != error) {
          error.addSuppressed(another);
        }
      }
    }
    return false;
  }
}
