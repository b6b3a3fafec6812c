package dev.mailroom.internal.engine;

import dev.mailroom.options.CleanUp;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Purges one kind of expired rows, in bounded batches, at an interval. */
final class CleanUpTask {
  private static final Logger LOG = LoggerFactory.getLogger(CleanUpTask.class);

  private final Channel channel;
  private final Store store;
  private final Purge what;
  private final CleanUp cleanUp;
  private final EngineContext context;
  private long dueAt;

  CleanUpTask(Channel channel, Store store, Purge what, CleanUp cleanUp, EngineContext context) {
    this.channel = channel;
    this.store = store;
    this.what = what;
    this.cleanUp = cleanUp;
    this.context = context;
    // Soon, so that a process that is restarted more often than the interval cleans up too.
    Duration first = shorterOf(cleanUp.interval(), cleanUp.restartDelay());
    this.dueAt = context.time().nanos() + first.toNanos();
  }

  private static Duration shorterOf(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Purges one batch if it is due.
   *
   * @return the time until the next batch; zero if there may be more, so that the caller can do its
   *     other work in between
   */
  Duration runIfDue() {
    if (dueAt - context.time().nanos() <= 0) {
      Duration next = cleanUp.interval();
      try {
        if (purge() == cleanUp.batch()) {
          next = Duration.ZERO;
        }
      } catch (RuntimeException error) {
        next = cleanUp.restartDelay();
        context
            .telemetry()
            .count(
                Telemetry.Counter.LOOP_ERROR,
                new Telemetry.Tags(channel.name(), null, "clean-up"),
                1);
        LOG.warn(
            "Clean-up of {} in channel '{}' failed; retrying in {}",
            what,
            channel.name(),
            next,
            error);
      }
      dueAt = context.time().nanos() + next.toNanos();
    }
    return Duration.ofNanos(Math.max(0, dueAt - context.time().nanos()));
  }

  /** Purges all expired rows of its kind; returns their number. */
  long run() {
    long total = 0;
    int count;
    do {
      count = purge();
      total += count;
    } while (count == cleanUp.batch());
    return total;
  }

  private int purge() {
    int count = store.purge(channel, what, cleanUp.batch());
    if (count > 0) {
      LOG.debug("Clean-up of {} in channel '{}' removed {}", what, channel.name(), count);
    }
    return count;
  }
}
