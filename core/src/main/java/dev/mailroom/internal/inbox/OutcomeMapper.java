package dev.mailroom.internal.inbox;

import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.internal.engine.HandlerInvocation;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps the result of a handler to the outcome of its message: it answered, threw, or could not be
 * called. One method per row of the table "Handling" in the documentation.
 */
final class OutcomeMapper {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeMapper.class);
  private static final Duration MIN_PARK_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_PARK_DELAY = Duration.ofMinutes(5);

  private static final HandlerOutcome NULL_RESULT =
      new HandlerOutcome.Failed("The handler returned null.");

  private final String channel;
  private final boolean keepDeadLetters;
  private final Duration park;
  private final RandomGenerator random;
  private final Telemetry telemetry;

  OutcomeMapper(
      String channel,
      boolean keepDeadLetters,
      Duration park,
      RandomGenerator random,
      Telemetry telemetry) {
    this.channel = channel;
    this.keepDeadLetters = keepDeadLetters;
    this.park = park;
    this.random = random;
    this.telemetry = telemetry;
  }

  /** The handler returned, by itself or because it was interrupted. */
  Outcome answered(
      HandlerRoute<?> route,
      Message message,
      @Nullable Result answer,
      HandlerInvocation.EndReason endReason,
      Instant leasedAt) {
    HandlerOutcome result = answer == null ? NULL_RESULT : answer.outcome();
    if (result instanceof HandlerOutcome.Succeeded) {
      telemetry.count(Telemetry.Counter.COMPLETED, route.tags(), 1);
      return Outcome.Completed.INSTANCE;
    }
    if (endReason == HandlerInvocation.EndReason.STOPPED) {
      return released(route);
    }
    if (result instanceof HandlerOutcome.Deferred deferred) {
      return deferred(route, message, deferred);
    }
    if (result instanceof HandlerOutcome.DeadLettered dead) {
      return dead(route, message, dead.error(), keepDeadLetters || dead.kept());
    }
    if (result instanceof HandlerOutcome.RetryAfter again) {
      return again(route, message, again);
    }
    if (result instanceof HandlerOutcome.Threw threw) {
      return threw(route, message, threw.error(), endReason);
    }
    if (result instanceof HandlerOutcome.Parked parked) {
      return parked(message, LastError.of("parked", parked.reason()), true, leasedAt);
    }
    HandlerOutcome.Failed failed = (HandlerOutcome.Failed) result;
    LastError error = LastError.of("failed", failed.reason());
    return failed(route, message, error, failed.notBefore());
  }

  /** The handler threw. */
  Outcome threw(
      HandlerRoute<?> route,
      Message message,
      Throwable error,
      HandlerInvocation.EndReason endReason) {
    if (endReason == HandlerInvocation.EndReason.STOPPED) {
      return released(route);
    }
    if (endReason == HandlerInvocation.EndReason.TIMED_OUT) {
      String text = "The handler took longer than " + route.timeout() + " and was interrupted.";
      return failed(route, message, LastError.of("timeout", text));
    }
    if (route.retry().isPermanent(error)) {
      return dead(route, message, LastError.of(error), keepDeadLetters);
    }
    return failed(route, message, LastError.of(error));
  }

  /**
   * The handler's transaction was rolled back, and a success with it: the message is released, or,
   * if its lease is lost, the store refuses that and reports it. Other outcomes stay.
   */
  Outcome rolledBack(HandlerRoute<?> route, Outcome outcome) {
    return outcome instanceof Outcome.Completed ? released(route) : outcome;
  }

  /** The payload cannot be decoded: a retry would not help, so the message is dead-lettered. */
  Outcome undecodable(HandlerRoute<?> route, Message message, Throwable error) {
    LastError cause = LastError.of(error);
    String why = error instanceof MailroomException ? cause.message() : cause.toString();
    String text =
        "The payload cannot be decoded as " + route.storedType().getTypeName() + ": " + why;
    return dead(route, message, new LastError("undecodable", text, cause.detail()), true);
  }

  /**
   * The contract is not registered here, or no handler matches. A newer version of the application
   * may have one, so the message is parked with a growing delay. A message of an unregistered
   * contract is dead-lettered after the park time; one without a handler is retried forever.
   */
  Outcome unroutable(Message message, HandlerRoutes.Missing missing, Instant leasedAt) {
    return parked(
        message, reason(message, missing), missing == HandlerRoutes.Missing.CONTRACT, leasedAt);
  }

  private Outcome parked(Message message, LastError error, boolean limited, Instant leasedAt) {
    Instant since = message.progress().parkedSince();
    Duration parked = since == null ? Duration.ZERO : Duration.between(since, leasedAt);
    Telemetry.Tags tags = new Telemetry.Tags(channel, message.contract().name(), null);
    if (limited && parked.compareTo(park) >= 0) {
      telemetry.count(Telemetry.Counter.DEAD_LETTERED, tags, 1);
      LOG.warn("Message {} is dead-lettered after {}: {}", message.id(), parked, error);
      return new Outcome.Dead(error);
    }
    telemetry.count(Telemetry.Counter.PARKED, tags, 1);
    if (since == null) {
      LOG.warn("Message {} is parked: {}", message.id(), error.message());
    }
    Duration delay = parked.dividedBy(2);
    delay = delay.compareTo(MIN_PARK_DELAY) < 0 ? MIN_PARK_DELAY : delay;
    delay = delay.compareTo(MAX_PARK_DELAY) > 0 ? MAX_PARK_DELAY : delay;
    return new Outcome.Retried(delay, error, Outcome.Counts.PARKING);
  }

  private LastError reason(Message message, HandlerRoutes.Missing missing) {
    String contract = "'" + message.contract() + "'";
    return missing == HandlerRoutes.Missing.CONTRACT
        ? LastError.of(
            "unknown-contract",
            "Contract "
                + contract
                + " is not registered here: register it, or deploy the version that does.")
        : LastError.of(
            "no-handler",
            "Channel '" + channel + "' has no handler for " + contract + ": register one.");
  }

  /** Released, without counting an attempt. */
  Outcome released(HandlerRoute<?> route) {
    telemetry.count(Telemetry.Counter.RELEASED, route.tags(), 1);
    return Outcome.Released.INSTANCE;
  }

  private Outcome deferred(HandlerRoute<?> route, Message message, HandlerOutcome.Deferred retry) {
    int deferrals = message.progress().deferrals();
    if (deferrals >= route.retry().deferrals()) {
      String text =
          "The handler deferred the message more than " + deferrals + " times. " + retry.reason();
      LastError error = LastError.of("deferred-too-often", text.strip());
      return dead(route, message, error, keepDeadLetters);
    }
    telemetry.count(Telemetry.Counter.DEFERRED, route.tags(), 1);
    String text =
        retry.reason().isEmpty()
            ? "The handler deferred the message by " + retry.after() + "."
            : retry.reason();
    return new Outcome.Retried(
        retry.after(), LastError.of("deferred", text), Outcome.Counts.DEFERRAL);
  }

  private Outcome failed(HandlerRoute<?> route, Message message, LastError error) {
    return failed(route, message, error, Duration.ZERO);
  }

  private Outcome failed(
      HandlerRoute<?> route, Message message, LastError error, Duration notBefore) {
    telemetry.count(Telemetry.Counter.FAILED, route.tags(), 1);
    RetryPolicy retry = route.retry();
    Progress progress = message.progress();
    if (progress.attempts() >= retry.attempts()) {
      return dead(route, message, error, keepDeadLetters);
    }
    telemetry.count(Telemetry.Counter.RETRIED, route.tags(), 1);
    Duration delay = retry.backoff().delay(progress.attempts(), random);
    delay = delay.compareTo(notBefore) < 0 ? notBefore : delay;
    LOG.warn(
        "Message {} of channel '{}' failed (attempt {} of {}), retry in {}: {}",
        message.id(),
        channel,
        progress.attempts(),
        retry.attempts(),
        delay,
        error);
    return new Outcome.Retried(delay, error, Outcome.Counts.ATTEMPT);
  }

  /** The handler decides: the attempt is counted, but not compared with the limit. */
  private Outcome again(HandlerRoute<?> route, Message message, HandlerOutcome.RetryAfter again) {
    telemetry.count(Telemetry.Counter.FAILED, route.tags(), 1);
    telemetry.count(Telemetry.Counter.RETRIED, route.tags(), 1);
    LOG.warn(
        "Message {} of channel '{}' failed, retry in {}: {}",
        message.id(),
        channel,
        again.after(),
        again.error());
    return new Outcome.Retried(again.after(), again.error(), Outcome.Counts.ATTEMPT);
  }

  private Outcome dead(HandlerRoute<?> route, Message message, LastError error, boolean kept) {
    telemetry.count(
        kept ? Telemetry.Counter.DEAD_LETTERED : Telemetry.Counter.DISCARDED, route.tags(), 1);
    LOG.warn(
        "Message {} ({}) of channel '{}' is {} after attempt {}: {}",
        message.id(),
        message.contract(),
        channel,
        kept ? "dead-lettered" : "discarded",
        message.progress().attempts(),
        error);
    return kept ? new Outcome.Dead(error) : Outcome.Discarded.INSTANCE;
  }
}
