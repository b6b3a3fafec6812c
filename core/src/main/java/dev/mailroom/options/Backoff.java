package dev.mailroom.options;

import dev.mailroom.errors.Violations;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next retry.
 *
 * @param growth how the delay grows from retry to retry
 * @param first the delay after the first failure; positive
 * @param maximum no delay is longer than this, jitter aside; at least {@code first}
 * @param jitter the part of the delay that is random, 0 to 1: 0.2 means ±20 %
 */
public record Backoff(Growth growth, Duration first, Duration maximum, double jitter) {

  /** How a delay grows. */
  public enum Growth {
    /** Always the first delay. */
    FIXED,
    /** Once, twice, three times the first delay. */
    LINEAR,
    /** Doubles every time. */
    EXPONENTIAL
  }

  /** Jitter unless said otherwise: ±20 %. */
  public static final double DEFAULT_JITTER = 0.2;

  /** Checks all four values and reports every violation at once. */
  public Backoff {
    Objects.requireNonNull(growth, "growth");
    Violations violations = new Violations("Backoff");
    violations.positive("first", first);
    violations.positive("maximum", maximum);
    violations.check(
        maximum.compareTo(first) >= 0, "maximum", maximum, "must not be shorter than first");
    violations.check(jitter >= 0 && jitter <= 1, "jitter", jitter, "must be from 0 to 1");
    violations.raise();
  }

  /** Always the same delay, ±20 %. */
  public static Backoff fixed(Duration delay) {
    return new Backoff(Growth.FIXED, delay, delay, DEFAULT_JITTER);
  }

  /** A delay that grows by its first value, ±20 %. */
  public static Backoff linear(Duration first, Duration maximum) {
    return new Backoff(Growth.LINEAR, first, maximum, DEFAULT_JITTER);
  }

  /** A delay that doubles, ±20 %. */
  public static Backoff exponential(Duration first, Duration maximum) {
    return new Backoff(Growth.EXPONENTIAL, first, maximum, DEFAULT_JITTER);
  }

  /** The same with another jitter; 0 switches it off. */
  public Backoff withJitter(double other) {
    return new Backoff(growth, first, maximum, other);
  }

  /**
   * The delay after the {@code failures}-th failure, without jitter.
   *
   * @param failures how many there were, at least 1
   */
  public Duration delay(int failures) {
    int count = Math.max(1, failures);
    long firstMillis = Math.max(1, first.toMillis());
    long maximumMillis = Math.max(firstMillis, maximum.toMillis());
    double factor =
        switch (growth) {
          case FIXED -> 1;
          case LINEAR -> count;
          case EXPONENTIAL -> Math.pow(2, Math.min(count - 1, 62));
        };
    return Duration.ofMillis((long) Math.min(firstMillis * factor, (double) maximumMillis));
  }

  /** The delay after the {@code failures}-th failure, with jitter drawn from {@code random}. */
  public Duration delay(int failures, RandomGenerator random) {
    Duration delay = delay(failures);
    if (jitter == 0) {
      return delay;
    }
    double factor = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.max(1, (long) (delay.toMillis() * factor)));
  }
}
