package dev.mailroom.commands;

import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.StateChange;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An update of shared state under optimistic locking: reads the state, decides, and commits;
 * retries if another process has changed the state in between.
 */
final class OptimisticUpdate {
  /** A conflict means that another process made progress, so this many in a row do not occur. */
  private static final int MAX_ATTEMPTS = 1_000;

  private OptimisticUpdate() {}

  /**
   * What is committed together.
   *
   * @param value the state's new value
   * @param messages the messages to write
   * @param cancels the messages to remove
   */
  record Change(Payload value, List<Outgoing> messages, List<UUID> cancels) {}

  /**
   * Changes a state.
   *
   * @param decision returns the change for the current value, which is null if there is none; a
   *     null change leaves the state as it is
   * @return the receipts of the messages written
   */
  static List<Receipt> change(
      MessageChannel channel,
      StateKey key,
      Function<@Nullable Payload, @Nullable Change> decision) {
    for (int attempt = 1; ; attempt++) {
      StoredState found = channel.state(key);
      Change change = decision.apply(found == null ? null : found.value());
      if (change == null) {
        return List.of();
      }
      long version = found == null ? 0 : found.version();
      try {
        return channel.commit(
            new StateChange(key, version, change.value()), change.messages(), change.cancels());
      } catch (VersionConflictException conflict) {
        if (attempt == MAX_ATTEMPTS) {
          throw conflict;
        }
      }
    }
  }
}
