package dev.mailroom.micrometer;

import dev.mailroom.spi.Telemetry;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Times an operation, whether it fails or not. */
final class TimedScope implements Telemetry.Scope {
  private final Timer timer;
  private final Clock clock;
  private final long startedAt;

  TimedScope(Timer timer, Clock clock) {
    this.timer = timer;
    this.clock = clock;
    this.startedAt = clock.monotonicTime();
  }

  @Override
  public void failed(Throwable error) {}

  @Override
  public @Nullable String traceParent() {
    return null;
  }

  @Override
  public @Nullable String traceState() {
    return null;
  }

  @Override
  public void close() {
    timer.record(clock.monotonicTime() - startedAt, TimeUnit.NANOSECONDS);
  }
}
