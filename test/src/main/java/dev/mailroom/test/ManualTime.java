package dev.mailroom.test;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Time that moves only when {@link #advance} is called. Starts at {@link #START}, which is far from
 * today, so that code that reads the host's clock by mistake fails its test.
 *
 * <p>Thread-safe.
 */
public final class ManualTime implements TimeSource {

  /** Where the wall clock starts. */
  public static final Instant START = Instant.parse("2020-02-29T12:00:00Z");

  private Instant wall = START;
  private long nanos;

  /** Starts at {@link #START}. */
  public ManualTime() {}

  @Override
  public synchronized Instant now() {
    return wall;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  /**
   * Lets time pass: both clocks move. The monotonic one overflows after some centuries, as the real
   * one does.
   *
   * @param duration how long; time does not run backwards
   */
  public synchronized void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "Time cannot advance by " + duration + ": to turn the wall clock back, set it.");
    }
    wall = wall.plus(duration);
    nanos += duration.toSeconds() * 1_000_000_000L + duration.toNanosPart();
  }

  /**
   * Adjusts the wall clock, forwards or backwards, as an operator does. The monotonic clock does
   * not notice.
   */
  public synchronized void set(Instant time) {
    wall = Objects.requireNonNull(time, "time");
  }

  @Override
  public String toString() {
    return "ManualTime[" + now() + "]";
  }
}
