package dev.mailroom.errors;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what is wrong with a set of options, so that all of it is reported at once.
 *
 * <p>Not thread-safe: one instance checks one object.
 */
public final class Violations {
  private final String subject;
  private final List<String> found = new ArrayList<>();

  /** Starts a check of the named object. */
  public Violations(String subject) {
    this.subject = subject;
  }

  /** Notes a violation unless the condition holds. */
  public void check(boolean holds, String option, @Nullable Object value, String rule) {
    if (!holds) {
      found.add(option + " is " + value + ": " + rule);
    }
  }

  /** The number must be at least 1. */
  public void positive(String option, long value) {
    check(value > 0, option, value, "must be at least 1");
  }

  /** The duration must be longer than nothing. */
  public void positive(String option, @Nullable Duration value) {
    boolean positive = value != null && !value.isNegative() && !value.isZero();
    check(positive, option, value, "must be a positive duration");
  }

  /** Null is allowed and means "off" or "for ever"; a duration must be longer than nothing. */
  public void positiveOrNull(String option, @Nullable Duration value) {
    if (value != null) {
      positive(option, value);
    }
  }

  /** The duration must not be negative. */
  public void notNegative(String option, @Nullable Duration value) {
    check(value != null && !value.isNegative(), option, value, "must not be negative");
  }

  /** Throws one error that names every violation, if there was any. */
  public void raise() {
    if (!found.isEmpty()) {
      throw new InvalidOptionsException(subject, found);
    }
  }
}
