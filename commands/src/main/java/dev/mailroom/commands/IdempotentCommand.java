package dev.mailroom.commands;

import dev.mailroom.mediator.Command;
import org.jspecify.annotations.Nullable;

/**
 * A command that knows when it is asked for a second time: scheduled again with an equal key within
 * the deduplication window, it is a duplicate and nothing is stored. A key in the {@link
 * ScheduleOptions} goes before it.
 */
public interface IdempotentCommand extends Command {

  /** The key; null or blank means none. */
  @Nullable String idempotencyKey();
}
