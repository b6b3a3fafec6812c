package dev.mailroom.storetestkit.contract;

import dev.mailroom.spi.LeaseRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a worker asks of a claim, in short: everything there is, for a minute, unless said so. */
record Request(
    String worker,
    int limit,
    int groupLimit,
    Duration duration,
    @Nullable String tenant,
    boolean suspects) {

  /** How long a lease lasts unless a test says otherwise. */
  static final Duration LEASE = Duration.ofMinutes(1);

  static Request request() {
    return new Request("worker", 100, 100, LEASE, null, true);
  }

  static Request atMost(int limit) {
    return request().limit(limit);
  }

  Request by(String name) {
    return new Request(name, limit, groupLimit, duration, tenant, suspects);
  }

  Request limit(int count) {
    return new Request(worker, count, groupLimit, duration, tenant, suspects);
  }

  Request perGroup(int count) {
    return new Request(worker, limit, count, duration, tenant, suspects);
  }

  Request lasting(Duration other) {
    return new Request(worker, limit, groupLimit, other, tenant, suspects);
  }

  Request tenant(String name) {
    return new Request(worker, limit, groupLimit, duration, name, suspects);
  }

  Request withoutSuspects() {
    return new Request(worker, limit, groupLimit, duration, tenant, false);
  }

  LeaseRequest build() {
    return new LeaseRequest(worker, limit, groupLimit, duration, tenant, suspects);
  }
}
