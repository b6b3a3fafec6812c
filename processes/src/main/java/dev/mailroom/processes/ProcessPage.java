package dev.mailroom.processes;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of instances, by key. It can hold fewer than the limit, or none, although there are more:
 * only {@link #next} says whether the search has ended.
 *
 * @param instances the instances found
 * @param nextCursor where to continue, or null if the search has ended
 * @param <S> the process's state
 */
public record ProcessPage<S>(List<ProcessInstance<S>> instances, @Nullable String nextCursor) {
  /** Copies the list. */
  public ProcessPage {
    instances = List.copyOf(instances);
  }

  /** The cursor of the next page; empty if the search has ended. */
  public Optional<String> next() {
    return Optional.ofNullable(nextCursor);
  }
}
