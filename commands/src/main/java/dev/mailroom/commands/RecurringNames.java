package dev.mailroom.commands;

import dev.mailroom.Inbox;
import dev.mailroom.InvalidMessageException;
import dev.mailroom.commands.States.Change;
import dev.mailroom.spi.StateKey;
import java.util.List;
import java.util.TreeSet;

/** The names of all recurring commands of a schedule, in one place, so that they can be listed. */
final class RecurringNames {
  private final Inbox inbox;
  private final StateKey key;

  RecurringNames(Inbox inbox) {
    this.inbox = inbox;
    this.key = new StateKey("mailroom.recurring-names", inbox.name());
  }

  List<String> all() {
    var stored = inbox.state(key);
    return RecurringText.decodeNames(stored == null ? null : stored.value());
  }

  void add(String name) {
    States.change(
        inbox,
        key,
        stored -> {
          TreeSet<String> names = new TreeSet<>(RecurringText.decodeNames(stored));
          if (names.add(name) && names.size() > RecurringCommands.MAXIMUM) {
            throw new InvalidMessageException(
                "'"
                    + name
                    + "' would be one recurring command too many in '"
                    + inbox.name()
                    + "': at most "
                    + RecurringCommands.MAXIMUM
                    + " are stored. Remove some, or use another schedule.");
          }
          return names.size() == RecurringText.decodeNames(stored).size()
              ? null
              : new Change(RecurringText.encodeNames(names), List.of(), List.of());
        });
  }

  void remove(String name) {
    States.change(
        inbox,
        key,
        stored -> {
          TreeSet<String> names = new TreeSet<>(RecurringText.decodeNames(stored));
          return names.remove(name)
              ? new Change(RecurringText.encodeNames(names), List.of(), List.of())
              : null;
        });
  }
}
