package dev.mailroom.webhooks;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs refused requests: at most one line per source, reason and minute, however many requests
 * come. The first request is logged at once; requests of the following minute are counted, and one
 * line with the count is logged when it ends. The table is bounded, as only configured sources have
 * rows of their own: requests for any other path share one. Thread-safe.
 */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final Supplier<TimeSource> time;
  private final Alarm alarm;
  private final Consumer<String> lines;
  private final Map<Row, Tally> tallies = new ConcurrentHashMap<>();

  /** Runs something later, on another thread. */
  @FunctionalInterface
  interface Alarm {
    void after(Duration delay, Runnable action);
  }

  /**
   * A refused request.
   *
   * @param source the name of its source, or null if no source is received at its path
   * @param reason the code of the refusal
   * @param peer the address it came from, or null if that is not known
   * @param skew how far its time is ahead of ours, or null if that is not the reason
   * @param detail the reason in words
   */
  record Refused(
      @Nullable String source,
      String reason,
      @Nullable String peer,
      @Nullable Duration skew,
      String detail) {}

  private record Row(@Nullable String source, String reason) {}

  RefusalLog(Supplier<TimeSource> time) {
    this(time, RefusalLog::later, LOG::info);
  }

  RefusalLog(Supplier<TimeSource> time, Alarm alarm, Consumer<String> lines) {
    this.time = time;
    this.alarm = alarm;
    this.lines = lines;
  }

  private static void later(Duration delay, Runnable action) {
    Executor executor = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
    executor.execute(action);
  }

  void add(Refused request) {
    LOG.debug(
        "Refused a request from {} for source '{}': {}. {}",
        request.peer(),
        request.source(),
        request.reason(),
        request.detail());
    tallies
        .computeIfAbsent(new Row(request.source(), request.reason()), row -> new Tally())
        .add(request);
  }

  /** The requests of one source and reason that no line was written for yet. */
  private final class Tally {
    private long count;
    private @Nullable Refused last;
    private boolean logged;
    private long loggedAt;
    private boolean alarmSet;

    synchronized void add(Refused request) {
      count++;
      last = request;
      long now = time.get().nanos();
      long left = loggedAt + INTERVAL.toNanos() - now;
      if (!logged || left <= 0) {
        log();
      } else if (!alarmSet) {
        alarmSet = true;
        alarm.after(Duration.ofNanos(left), this::intervalIsOver);
      }
    }

    private synchronized void intervalIsOver() {
      alarmSet = false;
      if (count > 0) {
        log();
      }
    }

    private void log() {
      Refused request = last;
      if (request == null) {
        return;
      }
      lines.accept(line(request, count));
      count = 0;
      logged = true;
      loggedAt = time.get().nanos();
    }
  }

  private static String where(Refused request) {
    if (request.source() != null) {
      return "for source '" + request.source() + "'";
    }
    return request.reason().equals("unknown-source")
        ? "for a path that no source has"
        : "before its source was looked up";
  }

  private static String line(Refused request, long count) {
    return "Refused %s %s: %s; the last came from %s%s"
        .formatted(
            count == 1 ? "a request" : count + " requests within a minute",
            where(request),
            request.reason(),
            request.peer() == null ? "an unknown address" : request.peer(),
            skew(request.skew()));
  }

  private static String skew(@Nullable Duration skew) {
    if (skew == null) {
      return "";
    }
    return ", and its time is "
        + skew.abs().toSeconds()
        + (skew.isNegative() ? " seconds behind ours" : " seconds ahead of ours");
  }
}
