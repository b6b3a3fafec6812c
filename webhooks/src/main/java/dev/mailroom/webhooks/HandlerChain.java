package dev.mailroom.webhooks;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers that match an event, one after another. Each success is stored as a checkpoint
 * under the handler's name before the next handler runs; the last success completes the message. So
 * after a crash, a failure or a redrive the chain resumes with the first handler that has not
 * succeeded.
 */
final class HandlerChain {
  private final String channel;
  private final List<Step> steps;
  private final boolean completeUnhandled;
  private final Supplier<FacadeContext> context;

  /**
   * A handler as it was registered.
   *
   * @param name its unique name
   * @param options which events it handles, and its retry policy
   * @param handler the application's code
   */
  record Step(String name, WebhookHandlerOptions options, WebhookHandler handler) {
    RetryPolicy retry() {
      return options.retry();
    }
  }

  HandlerChain(
      String channel,
      List<Step> steps,
      boolean completeUnhandled,
      Supplier<FacadeContext> context) {
    this.channel = channel;
    this.steps = steps;
    this.completeUnhandled = completeUnhandled;
    this.context = context;
  }

  Result handle(Delivery<Payload> delivery) {
    StoredEvent event = new StoredEvent(delivery.message());
    List<Step> matching = steps.stream().filter(step -> matches(step, event)).toList();
    if (matching.isEmpty()) {
      return unhandled(event);
    }
    List<Step> open =
        matching.stream().filter(step -> !recordOf(step, delivery).succeeded()).toList();
    for (int i = 0; i < open.size(); i++) {
      Result stop = run(open.get(i), i == open.size() - 1, delivery, event);
      if (stop != null) {
        return stop;
      }
    }
    return Result.success();
  }

  private static boolean matches(Step step, StoredEvent event) {
    return step.options()
        .matches(
            event.header(StoredEvent.SOURCE),
            event.header(StoredEvent.PROVIDER),
            event.header(StoredEvent.TYPE),
            event.tenant());
  }

  private static StepRecord recordOf(Step step, Delivery<Payload> delivery) {
    return StepRecord.of(delivery.message().checkpoints().get(step.name()));
  }

  private Result unhandled(StoredEvent event) {
    if (completeUnhandled) {
      return Result.success();
    }
    return Result.of(
        HandlerOutcome.unhandled(
            "No handler matches type '"
                + event.header(StoredEvent.TYPE)
                + "' of source '"
                + event.header(StoredEvent.SOURCE)
                + "': register one and redrive it, or discard it."));
  }

  /** Runs one handler; returns null if the chain continues. */
  private @Nullable Result run(
      Step step, boolean isLast, Delivery<Payload> delivery, StoredEvent event) {
    int failures = recordOf(step, delivery).failuresBefore(delivery.attempt());
    Run run = new Run(step, delivery, failures);
    HandlerOutcome outcome = call(run, event);
    if (outcome instanceof HandlerOutcome.Succeeded) {
      return isLast ? null : run.recordSuccess();
    }
    return Result.of(run.settle(outcome));
  }

  /** Calls one handler and records its metrics. */
  private HandlerOutcome call(Run run, StoredEvent event) {
    FacadeContext own = context.get();
    Telemetry telemetry = own.telemetry();
    Telemetry.Tags tags =
        new Telemetry.Tags(channel, null, run.step.name(), event.header(StoredEvent.SOURCE), null);
    telemetry.count(Counter.STEP_ATTEMPTED, tags, 1);
    long startedAt = own.time().nanos();
    Result result;
    try {
      result =
          run.step
              .handler()
              .handle(new StoredEventDelivery(event, run.delivery, own, run.attempt()));
    } catch (Throwable error) {
      result = Result.fail(error);
    }
    telemetry.measure(Measure.STEP_DURATION, tags, own.time().nanos() - startedAt);
    HandlerOutcome outcome =
        (result == null ? Result.fail("The handler returned null.") : result).outcome();
    if (outcome instanceof HandlerOutcome.Succeeded) {
      telemetry.count(Counter.STEP_SUCCEEDED, tags, 1);
    } else if (!(outcome instanceof HandlerOutcome.Deferred)
        && !(outcome instanceof HandlerOutcome.Parked)) {
      telemetry.count(Counter.STEP_FAILED, tags, 1);
    }
    return outcome;
  }

  /** One call of one handler, and what its outcome means for the message. */
  private static final class Run {
    private final Step step;
    private final Delivery<Payload> delivery;
    private final int failures;

    private Run(Step step, Delivery<Payload> delivery, int failures) {
      this.step = step;
      this.delivery = delivery;
      this.failures = failures;
    }

    private int attempt() {
      return failures + 1;
    }

    private @Nullable Result recordSuccess() {
      HandlerOutcome failure =
          record(StepRecord.success(failures, delivery.attempt()), "succeeded");
      return failure == null ? null : Result.of(failure);
    }

    /**
     * Stores the handler's checkpoint; returns null if it is stored. If not, the message is retried
     * and the handler runs once more: delivery is at least once.
     */
    private @Nullable HandlerOutcome record(String outcome, String what) {
      try {
        delivery.checkpoint(step.name(), outcome);
        return null;
      } catch (InvalidMessageException full) {
        return new HandlerOutcome.DeadLettered(
            named(LastError.of(full), what + ", but its checkpoint cannot be stored"));
      } catch (MailroomException failure) {
        LastError error =
            named(LastError.of(failure), what + ", but its checkpoint could not be stored");
        return new HandlerOutcome.RetryAfter(error, step.retry().backoff().delay(1));
      }
    }

    private HandlerOutcome settle(HandlerOutcome outcome) {
      if (outcome instanceof HandlerOutcome.Deferred deferred) {
        return deferred(deferred);
      }
      if (outcome instanceof HandlerOutcome.Parked parked) {
        return new HandlerOutcome.Parked("Handler '" + step.name() + "': " + parked.reason());
      }
      if (outcome instanceof HandlerOutcome.DeadLettered dead) {
        return new HandlerOutcome.DeadLettered(
            named(dead.error(), "dead-lettered it"), dead.kept());
      }
      if (outcome instanceof HandlerOutcome.RetryAfter retry) {
        return retry(named(retry.error(), "failed, attempt " + attempt()), retry.after());
      }
      if (outcome instanceof HandlerOutcome.Threw threw) {
        LastError error = LastError.of(threw.error());
        return step.retry().isPermanent(threw.error())
            ? new HandlerOutcome.DeadLettered(named(error, "failed with a permanent error"))
            : failed(error, Duration.ZERO);
      }
      if (outcome instanceof HandlerOutcome.Failed failed) {
        return failed(LastError.of("failed", failed.reason()), failed.notBefore());
      }
      return failed(LastError.of("failed", outcome.toString()), Duration.ZERO);
    }

    private HandlerOutcome failed(LastError error, Duration notBefore) {
      int maximum = step.retry().attempts();
      LastError named = named(error, "failed, attempt " + attempt() + " of " + maximum);
      if (attempt() >= maximum) {
        return new HandlerOutcome.DeadLettered(named);
      }
      Duration delay = step.retry().backoff().delay(attempt(), ThreadLocalRandom.current());
      return retry(named, delay.compareTo(notBefore) < 0 ? notBefore : delay);
    }

    private HandlerOutcome retry(LastError named, Duration after) {
      HandlerOutcome failure = record(StepRecord.failure(attempt(), delivery.attempt()), "failed");
      return failure != null ? failure : new HandlerOutcome.RetryAfter(named, after);
    }

    private HandlerOutcome deferred(HandlerOutcome.Deferred deferred) {
      int deferrals = delivery.message().progress().deferrals();
      if (deferrals < step.retry().deferrals()) {
        return deferred;
      }
      String text = "deferred it more than " + deferrals + " times. " + deferred.reason();
      return new HandlerOutcome.DeadLettered(
          LastError.of("deferred-too-often", "Handler '" + step.name() + "' " + text.strip()));
    }

    /** The same error, with the handler's name before its message. */
    private LastError named(LastError error, String what) {
      return new LastError(
          error.type(),
          "Handler '" + step.name() + "' " + what + ": " + error.message(),
          error.detail());
    }
  }
}
