package dev.mailroom.processes;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of timeouts, the highest id first. It can hold fewer than the limit, or none, although
 * there are more: only {@link #next} says whether the search has ended.
 *
 * @param timeouts the timeouts found
 * @param nextCursor where to continue, or null if the search has ended
 */
public record TimeoutPage(List<FoundTimeout> timeouts, @Nullable String nextCursor) {
  /** Copies the list. */
  public TimeoutPage {
    timeouts = List.copyOf(timeouts);
  }

  /** The cursor of the next page; empty if the search has ended. */
  public Optional<String> next() {
    return Optional.ofNullable(nextCursor);
  }
}
