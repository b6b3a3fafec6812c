package dev.mailroom.server.web;

import dev.mailroom.ChannelHealth;
import dev.mailroom.Mailroom;
import dev.mailroom.server.targets.TargetControl;
import dev.mailroom.server.targets.TargetStatus;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests should be sent here: the store answers and takes writes, the loops that should
 * run do, and the server is not stopping. The store is asked at most once a second, however often
 * this is.
 */
public final class Readiness {
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  private final Mailroom mailroom;
  private final StoreChecks store;
  private final List<String> handled;
  private final TimeSource time;
  private volatile boolean stopping;
  private volatile @Nullable TargetControl targets;
  private @Nullable Map<String, Object> last;
  private long lastAt;

  /**
   * How the store is doing.
   *
   * @param answers whether it answers
   * @param writes how writes of requests went
   * @param trial whether a write succeeds; asked while others fail
   */
  public record StoreChecks(BooleanSupplier answers, StoreWrites writes, BooleanSupplier trial) {}

  /**
   * Watches a mailroom.
   *
   * @param store how its store is doing
   * @param handled the inboxes that have targets, and so loops
   */
  public Readiness(Mailroom mailroom, StoreChecks store, List<String> handled, TimeSource time) {
    this.mailroom = mailroom;
    this.store = store;
    this.handled = List.copyOf(handled);
    this.time = time;
  }

  /**
   * Also reports suspended targets. They do not make the server unready: it still receives and
   * stores.
   */
  public void watch(TargetControl control) {
    targets = control;
  }

  /** Makes it not ready from now on, so that load balancers send no more requests. */
  public void stop() {
    stopping = true;
  }

  StoreWrites writes() {
    return store.writes();
  }

  ApiResponse reply(ApiRequest call) {
    if (stopping) {
      return ApiResponse.json(503, Map.of("status", "stopping"));
    }
    Map<String, Object> found = look();
    return ApiResponse.json("ready".equals(found.get("status")) ? 200 : 503, found);
  }

  private synchronized Map<String, Object> look() {
    if (last == null || time.nanos() - lastAt > FRESH) {
      last = ask();
      lastAt = time.nanos();
    }
    return last;
  }

  private Map<String, Object> ask() {
    Map<String, Object> answer = new LinkedHashMap<>();
    boolean reachable = store.answers().getAsBoolean();
    boolean writable = reachable && store.writes().isHealthy(store.trial());
    List<String> silent =
        mailroom.health().stream()
            .filter(health -> handled.contains(health.channel()) && !isAlive(health))
            .map(ChannelHealth::channel)
            .toList();
    answer.put("status", writable && silent.isEmpty() ? "ready" : "not ready");
    answer.put("store", !reachable ? "unreachable" : writable ? "reachable" : "writes fail");
    if (!silent.isEmpty()) {
      answer.put("stoppedInboxes", silent);
    }
    List<String> suspended = suspended();
    if (!suspended.isEmpty()) {
      answer.put("suspendedTargets", suspended);
    }
    return answer;
  }

  private List<String> suspended() {
    TargetControl known = targets;
    return known == null
        ? List.of()
        : known.list().stream().filter(t -> !t.isWorking()).map(TargetStatus::name).toList();
  }

  /** A single failed claim is tolerated; several in a row are not. */
  private static boolean isAlive(ChannelHealth health) {
    return health.running() && health.consecutiveFailures() < 3;
  }
}
