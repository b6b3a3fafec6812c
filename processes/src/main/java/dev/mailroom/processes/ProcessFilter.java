package dev.mailroom.processes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to look for. Null asks for nothing.
 *
 * @param tenant whose; null means those without a tenant
 * @param status how far they have come
 * @param startedBefore those that are older than this
 * @param changedBefore those that have had no step since
 */
public record ProcessFilter(
    @Nullable String tenant,
    @Nullable ProcessStatus status,
    @Nullable Instant startedBefore,
    @Nullable Instant changedBefore) {

  /** All instances without a tenant. */
  public static final ProcessFilter ALL = new ProcessFilter(null, null, null, null);

  /** The same of a tenant. */
  public ProcessFilter ofTenant(String other) {
    return new ProcessFilter(other, status, startedBefore, changedBefore);
  }

  /** Only those that have come so far. */
  public ProcessFilter in(ProcessStatus other) {
    return new ProcessFilter(tenant, other, startedBefore, changedBefore);
  }

  /** Only those that were started before that time. */
  public ProcessFilter startedBefore(Instant other) {
    return new ProcessFilter(tenant, status, other, changedBefore);
  }

  /** Only those that have had no step since that time. */
  public ProcessFilter changedBefore(Instant other) {
    return new ProcessFilter(tenant, status, startedBefore, other);
  }

  boolean matches(ProcessRecord process) {
    return (status == null || status == process.status())
        && (startedBefore == null || process.startedAt().isBefore(startedBefore))
        && (changedBefore == null || process.changedAt().isBefore(changedBefore));
  }
}
