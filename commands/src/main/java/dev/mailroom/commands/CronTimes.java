package dev.mailroom.commands;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.mailroom.errors.Violations;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The times that a cron expression names in a time zone.
 *
 * <p>Reading the expression and counting on a calendar is the library's part. What happens when
 * clocks are put forward or back is decided here, because a nightly job must neither be left out in
 * spring nor run twice in autumn. So the library only ever sees a fixed offset, from one change of
 * the clocks to the next, and at each change:
 *
 * <ul>
 *   <li>An expression with {@code *} for the hour means every hour, and goes on by elapsed time.
 *   <li>Any other names times of a day, and each comes once: one that the clocks leave out comes at
 *       the moment when they are put forward, one that they repeat comes the first time.
 * </ul>
 */
final class CronTimes {
  private static final Duration STEP = Duration.ofSeconds(1); // nothing lies between two seconds
  private static final CronDefinition DEFINITION = definition();

  private final ExecutionTime times;
  private final boolean everyHour;
  private final ZoneRules rules;

  private CronTimes(ExecutionTime times, boolean everyHour, ZoneRules rules) {
    this.times = times;
    this.everyHour = everyHour;
    this.rules = rules;
  }

  private static CronDefinition definition() {
    return CronDefinitionBuilder.defineCron()
        .withSeconds()
        .withStrictRange()
        .and()
        .withMinutes()
        .withStrictRange()
        .and()
        .withHours()
        .withStrictRange()
        .and()
        .withDayOfMonth()
        .withValidRange(1, 31)
        .supportsL()
        .supportsW()
        .supportsLW()
        .withStrictRange()
        .and()
        .withMonth()
        .withValidRange(1, 12)
        .withStrictRange()
        .and()
        .withDayOfWeek()
        .withValidRange(0, 7)
        .withMondayDoWValue(1)
        .withIntMapping(7, 0)
        .supportsL()
        .supportsHash()
        .withStrictRange()
        .and()
        .instance();
  }

  static CronTimes parse(String expression, ZoneId zone) {
    Violations violations = new Violations("Recurrence");
    CronTimes times = null;
    try {
      times = parsed(expression, zone);
      violations.check(
          times.search(Instant.EPOCH) != null,
          "cron",
          "'" + expression + "'",
          "there is no such day");
    } catch (IllegalArgumentException wrong) {
      violations.check(
          false,
          "cron",
          "'" + expression + "'",
          "it cannot be read ("
              + wrong.getMessage()
              + "). Five fields are expected (minute, hour, day of month, month, day of week), or"
              + " six with seconds in front.");
    }
    violations.raise();
    if (times == null) {
      throw new AssertionError("reported above");
    }
    return times;
  }

  private static CronTimes parsed(String expression, ZoneId zone) {
    boolean noSeconds = expression.split("\\s+").length == 5;
    Cron cron = new CronParser(DEFINITION).parse(noSeconds ? "0 " + expression : expression);
    cron.validate();
    boolean everyHour = cron.retrieve(CronFieldName.HOUR).getExpression() instanceof Always;
    return new CronTimes(ExecutionTime.forCron(cron), everyHour, zone.getRules());
  }

  /** The first time after this one. */
  Instant after(Instant moment) {
    Instant found = search(moment);
    if (found == null) {
      throw new IllegalStateException("The expression names no time after " + moment + ".");
    }
    return found;
  }

  /** From one change of the clocks to the next, until there is a time in between or at one. */
  private @Nullable Instant search(Instant moment) {
    Instant from = afterRepeatedHours(moment, rules.previousTransition(moment.plusNanos(1)));
    ZoneOffset offset = rules.getOffset(from);
    ZoneOffsetTransition change = rules.nextTransition(from);
    while (true) {
      LocalDateTime local = next(from, offset);
      if (local == null) {
        return null;
      }
      Instant found = local.toInstant(offset);
      if (change == null || found.isBefore(change.getInstant())) {
        return found;
      }
      if (!everyHour && change.isGap() && local.isBefore(change.getDateTimeAfter())) {
        return change.getInstant();
      }
      offset = change.getOffsetAfter();
      from = afterRepeatedHours(change.getInstant().minus(STEP), change);
      change = rules.nextTransition(change.getInstant());
    }
  }

  private @Nullable LocalDateTime next(Instant from, ZoneOffset offset) {
    return times.nextExecution(from.atZone(offset)).map(at -> at.toLocalDateTime()).orElse(null);
  }

  /** Where each time of a day comes once, what the clocks show again does not count. */
  private Instant afterRepeatedHours(Instant moment, @Nullable ZoneOffsetTransition last) {
    if (everyHour || last == null || !last.isOverlap()) {
      return moment;
    }
    Instant repeated = last.getDateTimeBefore().toInstant(last.getOffsetAfter()).minus(STEP);
    return repeated.isAfter(moment) ? repeated : moment;
  }
}
