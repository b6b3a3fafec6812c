package dev.mailroom.micrometer;

import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Telemetry;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Counts and measures with Micrometer: {@code Mailroom.builder().telemetry(new
 * MicrometerTelemetry(registry))}.
 *
 * <p>Every counter of {@link Telemetry.Counter} and every measure of {@link Telemetry.Measure} is a
 * meter that is called {@code mailroom.} and its name in lower case with dots, such as {@code
 * mailroom.dead.lettered}. Handlers' durations are timers, sizes are distribution summaries, and
 * current amounts are gauges. Writes are timed as {@code mailroom.receive}. Tags are {@code
 * channel}, {@code contract}, {@code handler}, {@code source} and {@code reason}; the value is
 * {@code none} where a tag does not apply. Contracts beyond {@value #MAXIMUM_CONTRACTS} become
 * {@code other}, so that senders cannot create time series without limit.
 *
 * <p>Works with Micrometer 1.13 and newer. It records no traces. Thread-safe.
 */
public final class MicrometerTelemetry implements Telemetry {
  /** The maximum number of distinct values of the tag {@code contract}: {@value}. */
  public static final int MAXIMUM_CONTRACTS = 100;

  private final MeterRegistry registry;
  private final MeterTags tags = new MeterTags(MAXIMUM_CONTRACTS);
  private final Map<Series, LongConsumer> meters = new ConcurrentHashMap<>();
  private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

  /** One time series: what it counts or measures, and its tags. */
  private record Series(Enum<?> what, Tags tags) {}

  /** Registers each meter when it is first used. */
  public MicrometerTelemetry(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  @Override
  public void count(Counter counter, Tags about, long amount) {
    Series series = new Series(counter, tags.bounded(about));
    LongConsumer meter = meters.get(series);
    if (meter == null) {
      meter = meters.computeIfAbsent(series, this::counter);
    }
    meter.accept(amount);
  }

  @Override
  public void measure(Measure measure, Tags about, long value) {
    Series series = new Series(measure, tags.bounded(about));
    LongConsumer meter = meters.get(series);
    if (meter == null) {
      meter = meters.computeIfAbsent(series, missing -> meter(measure, missing));
    }
    meter.accept(value);
  }

  @Override
  public Scope open(Span span, Tags about, Trace parent) {
    if (span != Span.RECEIVE) {
      return NOOP.open(span, about, parent); // the handlers' durations are measured
    }
    Series series = new Series(span, tags.bounded(about));
    Timer timer = timers.get(series);
    if (timer == null) {
      timer = timers.computeIfAbsent(series, this::timer);
    }
    return new TimedScope(timer, registry.config().clock());
  }

  private LongConsumer counter(Series series) {
    return registry.counter(name(series.what()), MeterTags.of(series.tags()))::increment;
  }

  private Timer timer(Series series) {
    return registry.timer(name(series.what()), MeterTags.of(series.tags()));
  }

  private LongConsumer meter(Measure measure, Series series) {
    return switch (measure) {
      case HANDLER_DURATION, STEP_DURATION -> {
        Timer timer = timer(series);
        yield value -> timer.record(value, TimeUnit.NANOSECONDS);
      }
      case BUFFERED, QUEUE_DEPTH -> {
        AtomicLong latest = new AtomicLong();
        registry.gauge(name(measure), MeterTags.of(series.tags()), latest, AtomicLong::doubleValue);
        yield latest::set; // a strong reference: the registry's own is weak
      }
      default -> {
        DistributionSummary summary = registry.summary(name(measure), MeterTags.of(series.tags()));
        yield summary::record;
      }
    };
  }

  private static String name(Enum<?> what) {
    return "mailroom." + what.name().toLowerCase(Locale.ROOT).replace('_', '.');
  }
}
