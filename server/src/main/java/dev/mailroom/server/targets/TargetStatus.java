package dev.mailroom.server.targets;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status of a target in this process.
 *
 * @param name its name
 * @param disabledReason why it takes no messages until it is enabled, or null
 * @param breaker its breaker; null for a target that only logs
 * @param callsUnderWay how many calls are under way
 * @param concurrency how many there may be; 0 if there is no limit
 * @param deferred how often a message was deferred since the start, by the limit or the breaker
 */
public record TargetStatus(
    String name,
    @Nullable String disabledReason,
    @Nullable Breaker breaker,
    int callsUnderWay,
    int concurrency,
    long deferred) {

  /**
   * A circuit breaker.
   *
   * @param state {@code closed}, {@code half-open} or {@code open}
   * @param failures how many calls have failed in a row
   * @param lastFailure what the last of them said; empty if none has
   * @param probeIn how long until a call is made again; zero unless it is open
   */
  public record Breaker(String state, int failures, String lastFailure, Duration probeIn) {
    static Breaker of(CircuitBreaker.Status status) {
      return new Breaker(
          status.state().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          status.failures(),
          status.lastFailure(),
          status.probeIn());
    }
  }

  /** Whether it is enabled, and its breaker lets calls through. */
  public boolean isWorking() {
    return disabledReason == null && (breaker == null || breaker.state().equals("closed"));
  }
}
