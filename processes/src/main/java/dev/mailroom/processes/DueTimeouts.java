package dev.mailroom.processes;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one claim has leased.
 *
 * @param timeouts those that are due and now the caller's; may be empty
 * @param nextDue how long until another one is due; null if none is scheduled
 */
public record DueTimeouts(List<LeasedTimeout> timeouts, @Nullable Duration nextDue) {
  /** Copies the list. */
  public DueTimeouts {
    timeouts = List.copyOf(timeouts);
  }
}
