package dev.mailroom.server.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Times requests by route and status; all unknown paths count as one route. */
final class RequestMeters {
  private final MeterRegistry registry;
  private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

  private record Series(String route, int status) {}

  RequestMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  long start() {
    return registry.config().clock().monotonicTime();
  }

  void end(String route, int status, long start) {
    Series series = new Series(route, status);
    Timer timer = timers.get(series);
    if (timer == null) {
      timer = timers.computeIfAbsent(series, this::timer);
    }
    timer.record(start() - start, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Series series) {
    return Timer.builder("mailroom.http.requests")
        .description("Requests by route and status")
        .tag("route", series.route())
        .tag("status", String.valueOf(series.status()))
        .serviceLevelObjectives(
            Duration.ofMillis(5),
            Duration.ofMillis(25),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10))
        .register(registry);
  }
}
