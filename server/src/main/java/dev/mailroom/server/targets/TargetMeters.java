package dev.mailroom.server.targets;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The metrics of targets that make calls. */
final class TargetMeters {
  private final MeterRegistry registry;

  TargetMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  void add(String name, GuardedTarget target) {
    Gauge.builder("mailroom.target.calls", target, GuardedTarget::callsUnderWay)
        .description("Calls of the target that are under way.")
        .tag("target", name)
        .register(registry);
    Gauge.builder("mailroom.target.concurrency", target, GuardedTarget::concurrency)
        .description("The most calls of the target at once.")
        .tag("target", name)
        .register(registry);
    Gauge.builder("mailroom.target.breaker", target, TargetMeters::breaker)
        .description("The target's breaker: 0 closed, 1 half-open, 2 open.")
        .tag("target", name)
        .register(registry);
    Gauge.builder("mailroom.target.disabled", target, TargetMeters::disabled)
        .description("Whether the target is disabled: 0 no, 1 yes.")
        .tag("target", name)
        .register(registry);
    FunctionCounter.builder("mailroom.target.deferred", target, GuardedTarget::deferredByLimit)
        .description("Messages deferred because of the target's state.")
        .tags("target", name, "reason", "concurrency")
        .register(registry);
    FunctionCounter.builder("mailroom.target.deferred", target, GuardedTarget::deferredByBreaker)
        .description("Messages deferred because of the target's state.")
        .tags("target", name, "reason", "breaker")
        .register(registry);
  }

  private static double breaker(GuardedTarget target) {
    return switch (target.breaker().state()) {
      case CLOSED -> 0;
      case HALF_OPEN -> 1;
      case OPEN -> 2;
    };
  }

  private static double disabled(GuardedTarget target) {
    return target.disabledReason() == null ? 0 : 1;
  }
}
