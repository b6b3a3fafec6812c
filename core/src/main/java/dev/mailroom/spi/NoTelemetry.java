package dev.mailroom.spi;

import dev.mailroom.messages.Trace;
import org.jspecify.annotations.Nullable;

/** The no-op telemetry. */
final class NoTelemetry implements Telemetry, Telemetry.Scope {

  @Override
  public void count(Counter counter, Tags tags, long amount) {}

  @Override
  public void measure(Measure measure, Tags tags, long value) {}

  @Override
  public Scope open(Span span, Tags tags, Trace parent) {
    return this;
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
  public void close() {}
}
