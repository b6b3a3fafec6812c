package dev.mailroom.commands;

import dev.mailroom.mediator.Command;
import org.jspecify.annotations.Nullable;

/**
 * A command with an idempotency key of its own, which becomes the deduplication key of its message:
 * scheduled again with an equal key within the deduplication window, it is a duplicate and is not
 * stored. A key in the {@link ScheduleOptions} takes precedence.
 */
public interface IdempotentCommand extends Command {

  /** The key; null or blank means none. */
  @Nullable String idempotencyKey();
}
