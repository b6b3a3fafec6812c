package dev.mailroom.storetestkit.simulation;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A host's clocks: a wall clock that is wrong by some time and jumps, and a monotonic one that runs
 * on with simulated time from a start of its own.
 */
final class DriftingTime implements TimeSource {
  private final TimeSource base;
  private final long start;
  private Duration offset;

  DriftingTime(TimeSource base, long start, Duration offset) {
    this.base = base;
    this.start = start;
    this.offset = offset;
  }

  void jump(Duration by) {
    offset = offset.plus(by);
  }

  @Override
  public Instant now() {
    return base.now().plus(offset);
  }

  @Override
  public long nanos() {
    return start + base.nanos();
  }
}
