package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.CleanUp;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims expired leases of crashed workers and purges expired rows. Works on any channel, with or
 * without handlers in this process; several nodes may sweep the same channel.
 */
public final class Sweeper implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration SHORTEST_SWEEP = Duration.ofMillis(50);
  private static final Duration LONGEST_SWEEP = Duration.ofSeconds(5);

  private final Channel channel;
  private final Store store;
  private final EngineContext context;
  private final Telemetry.Tags tags;
  private final Duration sweepInterval;
  private final Signal leasesReclaimed;
  private final Signal signal = new Signal();
  private final List<CleanUpTask> tasks = new ArrayList<>();
  private long reclaimAt;

  /**
   * A sweeper for one channel.
   *
   * @param cleaning whether it also runs the clean-up tasks
   * @param leasesReclaimed raised when expired leases were reclaimed
   */
  public Sweeper(
      Channel channel,
      Store store,
      InboxOptions options,
      EngineContext context,
      boolean cleaning,
      Signal leasesReclaimed) {
    this.channel = channel;
    this.store = store;
    this.context = context;
    this.tags = new Telemetry.Tags(channel.name(), null, "sweeper");
    Duration configured = options.leasing().reclaim();
    this.sweepInterval =
        configured == null ? sweepInterval(options.leasing().duration()) : configured;
    this.leasesReclaimed = leasesReclaimed;
    this.reclaimAt = context.time().nanos();
    if (cleaning) {
      for (Purge what : Purge.values()) {
        CleanUp cleanUp = options.cleanUp().getOrDefault(what, CleanUp.defaults());
        tasks.add(new CleanUpTask(channel, store, what, cleanUp, context));
      }
    }
  }

  /** A quarter of the lease: recovery takes at most one and a quarter of it. */
  private static Duration sweepInterval(Duration lease) {
    Duration quarter = lease.dividedBy(4);
    if (quarter.compareTo(SHORTEST_SWEEP) < 0) {
      return SHORTEST_SWEEP;
    }
    return quarter.compareTo(LONGEST_SWEEP) > 0 ? LONGEST_SWEEP : quarter;
  }

  @Override
  public String name() {
    return "sweeper";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  @Override
  public Duration pass() {
    if (reclaimAt - context.time().nanos() <= 0) {
      reclaim();
      reclaimAt = context.time().nanos() + sweepInterval.toNanos();
      measureDepth();
    }
    boolean more = false;
    long rest = reclaimAt - context.time().nanos();
    for (CleanUpTask task : tasks) {
      Duration next = task.runIfDue();
      more |= next.isZero();
      rest = Math.min(rest, next.toNanos());
    }
    return more ? Duration.ZERO : Duration.ofNanos(Math.max(rest, SHORTEST_SWEEP.toNanos()));
  }

  /** Reclaims all expired leases; returns their number. */
  public int reclaim() {
    int total = 0;
    int count;
    do {
      count = store.reclaim(channel, Limits.BATCH);
      total += count;
    } while (count == Limits.BATCH);
    if (total > 0) {
      context.telemetry().count(Telemetry.Counter.RECLAIMED, tags, total);
      LOG.warn(
          "Reclaimed {} expired leases of channel '{}': their worker crashed, or could not reach"
              + " the store for longer than the lease",
          total,
          channel.name());
      leasesReclaimed.raise();
    }
    return total;
  }

  /** Purges all expired rows, now. */
  public long cleanUp() {
    long total = 0;
    for (CleanUpTask task : tasks) {
      total += task.run();
    }
    return total;
  }

  private void measureDepth() {
    if (context.telemetry() != Telemetry.NOOP && store instanceof Inspectable inspectable) {
      long ready = inspectable.counts(channel).ready();
      context.telemetry().measure(Telemetry.Measure.QUEUE_DEPTH, tags, ready);
    }
  }
}
