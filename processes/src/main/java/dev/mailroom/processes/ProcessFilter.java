package dev.mailroom.processes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to find. Null means any.
 *
 * @param tenant the tenant; null means instances without a tenant
 * @param status how far they have come
 * @param startedBefore only instances that were started before this time
 * @param changedBefore only instances that have had no step since this time
 */
public record ProcessFilter(
    @Nullable String tenant,
    @Nullable ProcessStatus status,
    @Nullable Instant startedBefore,
    @Nullable Instant changedBefore) {

  private static final ProcessFilter ALL = new ProcessFilter(null, null, null, null);

  /** All instances without a tenant. */
  public static ProcessFilter all() {
    return ALL;
  }

  /** Only this tenant's instances. */
  public ProcessFilter tenant(String other) {
    return new ProcessFilter(other, status, startedBefore, changedBefore);
  }

  /** Only instances of this status. */
  public ProcessFilter in(ProcessStatus other) {
    return new ProcessFilter(tenant, other, startedBefore, changedBefore);
  }

  /** Only instances that were started before that time. */
  public ProcessFilter startedBefore(Instant other) {
    return new ProcessFilter(tenant, status, other, changedBefore);
  }

  /** Only instances that have had no step since that time. */
  public ProcessFilter changedBefore(Instant other) {
    return new ProcessFilter(tenant, status, startedBefore, other);
  }

  boolean matches(ProcessRecord process) {
    return (status == null || status == process.status())
        && (startedBefore == null || process.startedAt().isBefore(startedBefore))
        && (changedBefore == null || process.changedAt().isBefore(changedBefore));
  }
}
