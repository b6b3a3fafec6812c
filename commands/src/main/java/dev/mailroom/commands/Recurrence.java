package dev.mailroom.commands;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The times at which something happens again and again. Immutable. */
public sealed interface Recurrence permits Recurrence.Cron, Recurrence.Every {

  /**
   * The times that a cron expression names, on the clocks of a time zone.
   *
   * <p>Five fields: minute, hour, day of month, month, day of week; or six, with seconds in front.
   * Where both days are given, either will do, as in a crontab.
   *
   * @param expression for example {@code 30 3 * * MON-FRI}
   * @param zone for example {@code Europe/Berlin}
   * @throws InvalidOptionsException if the expression is not valid or names no time at all, or the
   *     zone is not known
   */
  static Recurrence cron(String expression, String zone) {
    ZoneId known = null;
    try {
      known = ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      Violations violations = new Violations("Recurrence");
      violations.check(
          false, "zone", zone, "must be a time zone that is known, such as Europe/Berlin or UTC");
      violations.raise();
    }
    return new Cron(expression, Objects.requireNonNull(known));
  }

  /**
   * Every so often, counted from the registration. This is elapsed time, which no time zone
   * changes.
   *
   * @throws InvalidOptionsException if the interval is not positive
   */
  static Recurrence every(Duration interval) {
    return new Every(interval);
  }

  /** The first time for a registration now. */
  Instant first(Instant now);

  /**
   * The next time.
   *
   * @param previous a time of this recurrence
   * @param after the earliest answer is after this, and after {@code previous}
   */
  Instant next(Instant previous, Instant after);

  /** By the calendar. */
  final class Cron implements Recurrence {
    private final String expression;
    private final ZoneId zone;
    private final CronTimes times;

    /** Parses the expression; see {@link Recurrence#cron}. */
    public Cron(String expression, ZoneId zone) {
      this.expression = Objects.requireNonNull(expression, "expression").trim();
      this.zone = Objects.requireNonNull(zone, "zone");
      this.times = CronTimes.parse(this.expression, zone);
    }

    /** As it was given. */
    public String expression() {
      return expression;
    }

    /** Whose clocks count. */
    public ZoneId zone() {
      return zone;
    }

    @Override
    public Instant first(Instant now) {
      return times.after(now);
    }

    @Override
    public Instant next(Instant previous, Instant after) {
      return times.after(after.isAfter(previous) ? after : previous);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Cron that
          && expression.equals(that.expression)
          && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
      return Objects.hash(expression, zone);
    }

    @Override
    public String toString() {
      return expression + " (" + zone + ")";
    }
  }

  /**
   * By elapsed time.
   *
   * @param interval from one time to the next
   */
  record Every(Duration interval) implements Recurrence {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Checks the interval. */
    public Every {
      Violations violations = new Violations("Recurrence");
      violations.check(
          interval != null && interval.compareTo(SHORTEST) >= 0,
          "interval",
          interval,
          "must be a positive duration of at least a millisecond");
      violations.raise();
    }

    @Override
    public Instant first(Instant now) {
      return now.plus(interval);
    }

    @Override
    public Instant next(Instant previous, Instant after) {
      Duration passed = Duration.between(previous, after);
      long missed = passed.isNegative() ? 0 : passed.dividedBy(interval);
      return previous.plus(interval.multipliedBy(missed + 1));
    }

    @Override
    public String toString() {
      return "every " + interval;
    }
  }
}
