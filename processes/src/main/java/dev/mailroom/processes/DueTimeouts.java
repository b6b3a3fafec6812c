package dev.mailroom.processes;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one claim.
 *
 * @param timeouts the leased timeouts; may be empty
 * @param nextDue how long until another one is due; null if none is scheduled
 */
public record DueTimeouts(List<LeasedTimeout> timeouts, @Nullable Duration nextDue) {
  /** Copies the list. */
  public DueTimeouts {
    timeouts = List.copyOf(timeouts);
  }
}
