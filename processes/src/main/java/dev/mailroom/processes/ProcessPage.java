package dev.mailroom.processes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the instances that were looked for.
 *
 * @param instances those found, by key; a page may be short or empty
 * @param next where to go on, or null if that was all
 * @param <S> the process's state
 */
public record ProcessPage<S>(List<ProcessInstance<S>> instances, @Nullable String next) {
  /** Copies the list. */
  public ProcessPage {
    instances = List.copyOf(instances);
  }
}
