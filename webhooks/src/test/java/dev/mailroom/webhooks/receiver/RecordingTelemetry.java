package dev.mailroom.webhooks.receiver;

import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Telemetry;
import java.util.HashMap;
import java.util.Map;

/** Sums up counters and measures, by their tags. */
final class RecordingTelemetry implements Telemetry {
  private final Map<Counter, Map<Tags, Long>> counts = new HashMap<>();
  private final Map<Measure, Map<Tags, Long>> sums = new HashMap<>();

  synchronized Map<Tags, Long> of(Counter counter) {
    return Map.copyOf(counts.getOrDefault(counter, Map.of()));
  }

  synchronized Map<Tags, Long> of(Measure measure) {
    return Map.copyOf(sums.getOrDefault(measure, Map.of()));
  }

  @Override
  public synchronized void count(Counter counter, Tags tags, long amount) {
    counts.computeIfAbsent(counter, any -> new HashMap<>()).merge(tags, amount, Long::sum);
  }

  @Override
  public synchronized void measure(Measure measure, Tags tags, long value) {
    sums.computeIfAbsent(measure, any -> new HashMap<>()).merge(tags, value, Long::sum);
  }

  @Override
  public Scope open(Span span, Tags tags, Trace parent) {
    return Telemetry.NOOP.open(span, tags, parent);
  }
}
