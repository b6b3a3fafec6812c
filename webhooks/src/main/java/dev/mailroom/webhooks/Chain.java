package dev.mailroom.webhooks;

import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers that an event is for, one after another. Each success is stored under the
 * handler's name before the next one runs, except that of the last: that is the message's
 * completion. So after a crash, a failure or a redrive it goes on with the first handler that has
 * not succeeded.
 */
final class Chain {
  private final String channel;
  private final List<Step> steps;
  private final boolean completeUnhandled;
  private final Supplier<Mailroom> mailroom;

  /**
   * A handler as it was registered.
   *
   * @param options its name, what it is for, and its retry policy
   * @param handler what is called
   */
  record Step(WebhookHandlerOptions options, WebhookHandler handler) {
    String name() {
      return options.name();
    }

    RetryPolicy retry() {
      return options.retry();
    }
  }

  Chain(String channel, List<Step> steps, boolean completeUnhandled, Supplier<Mailroom> mailroom) {
    this.channel = channel;
    this.steps = steps;
    this.completeUnhandled = completeUnhandled;
    this.mailroom = mailroom;
  }

  Result handle(Delivery<Payload> delivery) {
    StoredEvent event = new StoredEvent(delivery.message());
    List<Step> matching = steps.stream().filter(step -> isFor(step, event)).toList();
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

  private static boolean isFor(Step step, StoredEvent event) {
    return step.options()
        .isFor(
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
    return Result.unhandled(
        "No handler is for type '"
            + event.header(StoredEvent.TYPE)
            + "' of source '"
            + event.header(StoredEvent.SOURCE)
            + "': register one and redrive it, or discard it.");
  }

  /** Runs one handler; answers null if the chain goes on. */
  private @Nullable Result run(
      Step step, boolean isLast, Delivery<Payload> delivery, StoredEvent event) {
    int failures = recordOf(step, delivery).failuresBefore(delivery.attempt());
    Run run = new Run(step, delivery, failures);
    Result answer = call(run, event);
    if (answer instanceof Result.Success) {
      return isLast ? null : run.recordSuccess();
    }
    return run.judge(answer);
  }

  /** Calls one handler, and tells how that went. */
  private Result call(Run run, StoredEvent event) {
    Mailroom own = mailroom.get();
    Telemetry telemetry = own.telemetry();
    Telemetry.Tags tags =
        new Telemetry.Tags(channel, null, run.step.name(), event.header(StoredEvent.SOURCE), null);
    telemetry.count(Counter.STEP_ATTEMPTED, tags, 1);
    long began = own.time().nanos();
    Result answer;
    try {
      answer = run.step.handler().handle(new HandedEvent(event, run.delivery, own, run.attempt()));
    } catch (Throwable error) {
      answer = Result.fail(error);
    }
    telemetry.measure(Measure.STEP_DURATION, tags, own.time().nanos() - began);
    answer = answer == null ? Result.fail("The handler answered null.") : answer;
    if (answer instanceof Result.Success) {
      telemetry.count(Counter.STEP_SUCCEEDED, tags, 1);
    } else if (!(answer instanceof Result.Retry) && !(answer instanceof Result.Parked)) {
      telemetry.count(Counter.STEP_FAILED, tags, 1);
    }
    return answer;
  }

  /** One handler's turn with one event, and what its answer makes of the message. */
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
      return record(StepRecord.success(failures, delivery.attempt()), "succeeded");
    }

    /**
     * Stores what became of the handler; answers null if that is stored. If it cannot be, the
     * message comes again: the handler then runs once more, which is what at least once means.
     */
    private @Nullable Result record(String outcome, String what) {
      try {
        delivery.checkpoint(step.name(), outcome);
        return null;
      } catch (InvalidMessageException full) {
        return Result.deadLetter(named(LastError.of(full), what + ", which cannot be recorded"));
      } catch (MailroomException trouble) {
        LastError error = named(LastError.of(trouble), what + ", which could not be recorded");
        return Result.fail(error, step.retry().backoff().delay(1));
      }
    }

    private Result judge(Result answer) {
      if (answer instanceof Result.Retry retry) {
        return deferred(retry);
      }
      if (answer instanceof Result.Parked parked) {
        return Result.park("Handler '" + step.name() + "': " + parked.reason());
      }
      if (answer instanceof Result.Dead dead) {
        return new Result.Dead(named(dead.error(), "gave it up"), dead.kept());
      }
      if (answer instanceof Result.Again again) {
        return tryAgain(named(again.error(), "failed, attempt " + attempt()), again.after());
      }
      if (answer instanceof Result.Threw threw) {
        LastError error = LastError.of(threw.error());
        return step.retry().isPermanent(threw.error())
            ? Result.deadLetter(named(error, "failed for good"))
            : failed(error);
      }
      if (answer instanceof Result.Failed failed) {
        return failed(LastError.of("failed", failed.reason()), failed.notBefore());
      }
      return failed(LastError.of("failed", answer.toString()));
    }

    private Result failed(LastError error) {
      return failed(error, Duration.ZERO);
    }

    private Result failed(LastError error, Duration notBefore) {
      int most = step.retry().attempts();
      LastError named = named(error, "failed, attempt " + attempt() + " of " + most);
      if (attempt() >= most) {
        return Result.deadLetter(named);
      }
      Duration delay = step.retry().backoff().delay(attempt(), ThreadLocalRandom.current());
      return tryAgain(named, delay.compareTo(notBefore) < 0 ? notBefore : delay);
    }

    private Result tryAgain(LastError named, Duration after) {
      Result trouble = record(StepRecord.failure(attempt(), delivery.attempt()), "failed");
      return trouble != null ? trouble : Result.fail(named, after);
    }

    private Result deferred(Result.Retry retry) {
      int deferrals = delivery.message().progress().deferrals();
      if (deferrals < step.retry().deferrals()) {
        return retry;
      }
      String text = "asked for a later time more than " + deferrals + " times. " + retry.reason();
      return Result.deadLetter(
          LastError.of("deferred-too-often", "Handler '" + step.name() + "' " + text.strip()));
    }

    /** The same error, saying first which handler it is of. */
    private LastError named(LastError error, String what) {
      return new LastError(
          error.type(),
          "Handler '" + step.name() + "' " + what + ": " + error.message(),
          error.detail());
    }
  }
}
