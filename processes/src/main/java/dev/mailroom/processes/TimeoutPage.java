package dev.mailroom.processes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one step through the timeouts has found, the highest id first. It can hold fewer than asked
 * for, or none, although there are more: only {@code next} says whether all were looked at.
 *
 * @param timeouts those found
 * @param next where to go on, or null at the end
 */
public record TimeoutPage(List<FoundTimeout> timeouts, @Nullable String next) {
  /** Copies the list. */
  public TimeoutPage {
    timeouts = List.copyOf(timeouts);
  }
}
