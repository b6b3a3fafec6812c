package dev.mailroom.commands;

import dev.mailroom.mediator.ContextKey;
import java.time.Instant;

/**
 * Which run of which recurring command this is; handlers find it in the execution context.
 *
 * @param name the recurring command's name
 * @param time the time that the run is for, which may be well before now
 */
public record RecurringRun(String name, Instant time) {

  /** Where it is in the execution context; nothing is there for commands that do not recur. */
  public static final ContextKey<RecurringRun> KEY = ContextKey.named("recurring run");
}
