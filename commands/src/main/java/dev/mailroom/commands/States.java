package dev.mailroom.commands;

import dev.mailroom.Inbox;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.spi.StateChange;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes state that others change too: reads it, decides, and begins again if it was changed. */
final class States {
  /** Each lost turn means that somebody else has got on, so this many are never lost in a row. */
  private static final int TURNS = 1_000;

  private States() {}

  /**
   * What is to happen together.
   *
   * @param value the state's new value
   * @param messages what is written
   * @param cancels which messages are removed
   */
  record Change(Payload value, List<Outgoing> messages, List<UUID> cancels) {}

  /**
   * Changes a state.
   *
   * @param decision the change, given the value there is, if any; null changes nothing
   * @return the receipts of the messages written
   */
  static List<Receipt> change(
      Inbox inbox, StateKey key, Function<@Nullable Payload, @Nullable Change> decision) {
    for (int turn = 1; ; turn++) {
      StoredState found = inbox.state(key);
      Change change = decision.apply(found == null ? null : found.value());
      if (change == null) {
        return List.of();
      }
      long version = found == null ? 0 : found.version();
      try {
        return inbox.commit(
            new StateChange(key, version, change.value()), change.messages(), change.cancels());
      } catch (VersionConflictException conflict) {
        if (turn == TURNS) {
          throw conflict;
        }
      }
    }
  }
}
