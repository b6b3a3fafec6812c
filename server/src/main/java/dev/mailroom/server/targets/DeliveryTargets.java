package dev.mailroom.server.targets;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.Kind;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import dev.mailroom.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All targets of a server, by name. Each target that makes calls has a limit and a breaker. */
public final class DeliveryTargets implements TargetControl, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryTargets.class);

  private final Map<String, DeliveryTarget> byName = new TreeMap<>();
  private final TimeSource time;

  /** Makes them, with the host's clock. */
  public DeliveryTargets(ServerOptions options, Path directory, Set<String> withheld) {
    this(options, directory, withheld, TimeSource.system());
  }

  /**
   * Makes them.
   *
   * @param directory where programs run
   * @param withheld environment variables that no program may inherit
   * @throws ConfigurationException naming every target that cannot work
   */
  DeliveryTargets(ServerOptions options, Path directory, Set<String> withheld, TimeSource time) {
    this.time = time;
    List<String> problems = new ArrayList<>();
    options
        .targets()
        .forEach(
            (name, target) -> {
              try {
                byName.put(name, guarded(target, make(target, directory, withheld)));
              } catch (MailroomException | IllegalArgumentException e) {
                problems.add("targets." + name + ": " + e.getMessage());
              }
            });
    if (!problems.isEmpty()) {
      close();
      throw new ConfigurationException(problems);
    }
  }

  private static DeliveryTarget make(TargetOptions target, Path directory, Set<String> withheld) {
    Kind kind = target.kind();
    if (kind instanceof Kind.Post post) {
      return new HttpTarget(target.name(), post, target.timeout());
    }
    if (kind instanceof Kind.Program program) {
      return new CommandTarget(program.command(), target.timeout(), directory, withheld);
    }
    return new LogTarget(target.name(), ((Kind.LogLine) kind).payload());
  }

  /** Writing a line to the log returns at once and does not fail. */
  private DeliveryTarget guarded(TargetOptions options, DeliveryTarget target) {
    if (target instanceof LogTarget) {
      return target;
    }
    TargetOptions.Breaker breaker = options.breaker();
    return new GuardedTarget(
        options.name(),
        target,
        options.concurrency(),
        new CircuitBreaker.Options(
            breaker.failures(), breaker.firstPause(), breaker.longestPause()),
        time);
  }

  /** The target of that name, which the configuration has checked to exist. */
  public DeliveryTarget get(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  /** Registers the metrics of all targets. */
  public void bindTo(MeterRegistry registry) {
    TargetMeters meters = new TargetMeters(registry);
    byName.forEach(
        (name, target) -> {
          if (target instanceof GuardedTarget guarded) {
            meters.add(name, guarded);
          }
        });
  }

  @Override
  public List<TargetStatus> list() {
    return byName.entrySet().stream().map(e -> status(e.getKey(), e.getValue())).toList();
  }

  private static TargetStatus status(String name, DeliveryTarget target) {
    if (!(target instanceof GuardedTarget guarded)) {
      return new TargetStatus(name, null, null, 0, 0, 0);
    }
    return new TargetStatus(
        name,
        guarded.disabledReason(),
        TargetStatus.Breaker.of(guarded.breaker()),
        guarded.callsUnderWay(),
        guarded.concurrency(),
        guarded.deferredByLimit() + guarded.deferredByBreaker());
  }

  @Override
  public boolean enable(String name) {
    DeliveryTarget target = byName.get(name);
    if (target == null) {
      return false;
    }
    String reason = target.disabledReason();
    target.enable();
    if (reason != null) {
      LOG.info("Target '{}' is enabled; it was disabled because {}", name, reason);
    }
    return true;
  }

  @Override
  public void close() {
    byName.values().forEach(DeliveryTarget::close);
  }
}
