package dev.mailroom.storetestkit.contract;

import dev.mailroom.spi.LeaseRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A short builder of {@link LeaseRequest}s. Default: up to 100 messages for a minute. */
record ClaimRequest(
    String worker,
    int limit,
    int groupLimit,
    Duration duration,
    @Nullable String tenant,
    boolean poisonMessages) {

  /** How long a lease lasts unless a test says otherwise. */
  static final Duration LEASE = Duration.ofMinutes(1);

  static ClaimRequest request() {
    return new ClaimRequest("worker", 100, 100, LEASE, null, true);
  }

  static ClaimRequest atMost(int limit) {
    return request().limit(limit);
  }

  ClaimRequest by(String name) {
    return new ClaimRequest(name, limit, groupLimit, duration, tenant, poisonMessages);
  }

  ClaimRequest limit(int count) {
    return new ClaimRequest(worker, count, groupLimit, duration, tenant, poisonMessages);
  }

  ClaimRequest perGroup(int count) {
    return new ClaimRequest(worker, limit, count, duration, tenant, poisonMessages);
  }

  ClaimRequest lasting(Duration other) {
    return new ClaimRequest(worker, limit, groupLimit, other, tenant, poisonMessages);
  }

  ClaimRequest tenant(String name) {
    return new ClaimRequest(worker, limit, groupLimit, duration, name, poisonMessages);
  }

  ClaimRequest withoutPoisonMessages() {
    return new ClaimRequest(worker, limit, groupLimit, duration, tenant, false);
  }

  LeaseRequest build() {
    return new LeaseRequest(worker, limit, groupLimit, duration, tenant, poisonMessages);
  }
}
