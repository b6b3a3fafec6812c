package dev.mailroom.internal.inbox;

import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.internal.engine.Call;
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
 * Judges what becomes of a message after its handler answered, threw, or could not be called. One
 * method per row of the table "Handling" in the documentation.
 */
final class Verdicts {
  private static final Logger LOG = LoggerFactory.getLogger(Verdicts.class);
  private static final Duration SHORTEST_PARKING = Duration.ofSeconds(1);
  private static final Duration LONGEST_PARKING = Duration.ofMinutes(5);

  private static final HandlerOutcome NULL_ANSWER =
      new HandlerOutcome.Failed("The handler answered null.");

  private final String channel;
  private final boolean keepDeadLetters;
  private final Duration park;
  private final RandomGenerator random;
  private final Telemetry telemetry;

  Verdicts(
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
      Route<?> route,
      Message message,
      @Nullable Result answer,
      Call.Ending ending,
      Instant leasedAt) {
    HandlerOutcome result = answer == null ? NULL_ANSWER : answer.outcome();
    if (result instanceof HandlerOutcome.Succeeded) {
      telemetry.count(Telemetry.Counter.COMPLETED, route.tags(), 1);
      return Outcome.Completed.INSTANCE;
    }
    if (ending == Call.Ending.STOPPED) {
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
      return threw(route, message, threw.error(), ending);
    }
    if (result instanceof HandlerOutcome.Parked parked) {
      return parked(message, LastError.of("parked", parked.reason()), true, leasedAt);
    }
    HandlerOutcome.Failed failed = (HandlerOutcome.Failed) result;
    LastError error = LastError.of("failed", failed.reason());
    return failed(route, message, error, failed.notBefore());
  }

  /** The handler threw. */
  Outcome threw(Route<?> route, Message message, Throwable error, Call.Ending ending) {
    if (ending == Call.Ending.STOPPED) {
      return released(route);
    }
    if (ending == Call.Ending.TIMED_OUT) {
      String text = "The handler took longer than " + route.timeout() + " and was interrupted.";
      return failed(route, message, LastError.of("timeout", text));
    }
    if (route.retry().isPermanent(error)) {
      return dead(route, message, LastError.of(error), keepDeadLetters);
    }
    return failed(route, message, LastError.of(error));
  }

  /**
   * The handler's transaction was rolled back. A success is then worth nothing: the message is
   * given back, or, if its lease is lost, the store refuses that and says so. Other outcomes stay.
   */
  Outcome undone(Route<?> route, Outcome outcome) {
    return outcome instanceof Outcome.Completed ? released(route) : outcome;
  }

  /** The payload cannot be decoded: trying again would not help, and nothing may be lost. */
  Outcome undecodable(Route<?> route, Message message, Throwable error) {
    LastError cause = LastError.of(error);
    String why = error instanceof MailroomException ? cause.message() : cause.toString();
    String text =
        "The payload cannot be decoded as " + route.storedType().getTypeName() + ": " + why;
    return dead(route, message, new LastError("undecodable", text, cause.detail()), true);
  }

  /**
   * Nobody here knows the contract, or has a handler for it. A newer version of the application
   * may, so the message waits, longer and longer. An unknown contract dies after the park time; a
   * known one without a handler waits for ever.
   */
  Outcome unroutable(Message message, Routes.Missing missing, Instant leasedAt) {
    return parked(message, reason(message, missing), missing == Routes.Missing.CONTRACT, leasedAt);
  }

  private Outcome parked(Message message, LastError error, boolean mortal, Instant leasedAt) {
    Instant since = message.progress().parkedSince();
    Duration parked = since == null ? Duration.ZERO : Duration.between(since, leasedAt);
    Telemetry.Tags tags = new Telemetry.Tags(channel, message.contract().name(), null);
    if (mortal && parked.compareTo(park) >= 0) {
      telemetry.count(Telemetry.Counter.DEAD_LETTERED, tags, 1);
      LOG.warn("Message {} is dead after {}: {}", message.id(), parked, error);
      return new Outcome.Dead(error);
    }
    telemetry.count(Telemetry.Counter.PARKED, tags, 1);
    if (since == null) {
      LOG.warn("Message {} is parked: {}", message.id(), error.message());
    }
    Duration delay = parked.dividedBy(2);
    delay = delay.compareTo(SHORTEST_PARKING) < 0 ? SHORTEST_PARKING : delay;
    delay = delay.compareTo(LONGEST_PARKING) > 0 ? LONGEST_PARKING : delay;
    return new Outcome.Retried(delay, error, Outcome.Counts.PARKING);
  }

  private LastError reason(Message message, Routes.Missing missing) {
    String contract = "'" + message.contract() + "'";
    return missing == Routes.Missing.CONTRACT
        ? LastError.of(
            "unknown-contract",
            "Nobody here knows contract "
                + contract
                + ": register it, or deploy the version that does.")
        : LastError.of(
            "no-handler",
            "Channel '" + channel + "' has no handler for " + contract + ": register one.");
  }

  /** Given back untouched. */
  Outcome released(Route<?> route) {
    telemetry.count(Telemetry.Counter.RELEASED, route.tags(), 1);
    return Outcome.Released.INSTANCE;
  }

  private Outcome deferred(Route<?> route, Message message, HandlerOutcome.Deferred retry) {
    int deferrals = message.progress().deferrals();
    if (deferrals >= route.retry().deferrals()) {
      String text =
          "The handler asked for a later time more than " + deferrals + " times. " + retry.reason();
      LastError error = LastError.of("deferred-too-often", text.strip());
      return dead(route, message, error, keepDeadLetters);
    }
    telemetry.count(Telemetry.Counter.DEFERRED, route.tags(), 1);
    String text =
        retry.reason().isEmpty()
            ? "The handler asked to be called again after " + retry.after() + "."
            : retry.reason();
    return new Outcome.Retried(
        retry.after(), LastError.of("deferred", text), Outcome.Counts.DEFERRAL);
  }

  private Outcome failed(Route<?> route, Message message, LastError error) {
    return failed(route, message, error, Duration.ZERO);
  }

  private Outcome failed(Route<?> route, Message message, LastError error, Duration notBefore) {
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
        "Message {} of channel '{}' failed (attempt {} of {}), again in {}: {}",
        message.id(),
        channel,
        progress.attempts(),
        retry.attempts(),
        delay,
        error);
    return new Outcome.Retried(delay, error, Outcome.Counts.ATTEMPT);
  }

  /** The handler has judged by itself: the attempts are counted, and not looked at. */
  private Outcome again(Route<?> route, Message message, HandlerOutcome.RetryAfter again) {
    telemetry.count(Telemetry.Counter.FAILED, route.tags(), 1);
    telemetry.count(Telemetry.Counter.RETRIED, route.tags(), 1);
    LOG.warn(
        "Message {} of channel '{}' failed, again in {}: {}",
        message.id(),
        channel,
        again.after(),
        again.error());
    return new Outcome.Retried(again.after(), again.error(), Outcome.Counts.ATTEMPT);
  }

  private Outcome dead(Route<?> route, Message message, LastError error, boolean kept) {
    telemetry.count(
        kept ? Telemetry.Counter.DEAD_LETTERED : Telemetry.Counter.DISCARDED, route.tags(), 1);
    LOG.warn(
        "Message {} ({}) of channel '{}' is {} after attempt {}: {}",
        message.id(),
        message.contract(),
        channel,
        kept ? "dead" : "discarded",
        message.progress().attempts(),
        error);
    return kept ? new Outcome.Dead(error) : Outcome.Discarded.INSTANCE;
  }
}
