package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks of a claim.
 *
 * @param worker the worker's name for logs and consoles; the token is the fence
 * @param limit the most messages to lease, 1 to {@link Limits#BATCH}
 * @param groupLimit the most messages of one group, at least 1
 * @param duration how long the lease lasts unless it is extended
 * @param tenant lease this tenant's messages only; null means every tenant's
 * @param poisonMessages whether a message that has crashed before may be leased (alone); a worker
 *     that only fills its buffer says false
 */
public record LeaseRequest(
    String worker,
    int limit,
    int groupLimit,
    Duration duration,
    @Nullable String tenant,
    boolean poisonMessages) {

  /** Checks the counts and the duration. */
  public LeaseRequest {
    Limits.requireName("worker name", worker);
    tenant = Limits.key("tenant", tenant);
    Limits.requireCount("lease limit", limit, Limits.BATCH);
    Limits.requireCount("group limit", groupLimit, Limits.BATCH);
    Objects.requireNonNull(duration, "duration");
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "The lease duration is " + duration + ": it must be positive.");
    }
  }
}
