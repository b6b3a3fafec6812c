package dev.mailroom.commands;

import dev.mailroom.commands.OptimisticUpdate.Change;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.spi.MessageChannel;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The names of all recurring commands of a schedule, in one place, so that they can be listed. */
final class RecurringNames {
  private final MessageChannel channel;
  private final StateKey key;

  RecurringNames(MessageChannel channel) {
    this.channel = channel;
    this.key = new StateKey("mailroom.recurring-names", channel.name());
  }

  List<String> all() {
    var stored = channel.state(key);
    return RecurringFormat.decodeNames(stored == null ? null : stored.value());
  }

  /** Looked at before anything is stored; processes that do so at once may go a little beyond. */
  void requireRoomFor(String name) {
    List<String> names = all();
    if (names.size() >= RecurringCommands.MAXIMUM && !names.contains(name)) {
      throw new InvalidMessageException(
          "'"
              + name
              + "' would be one recurring command too many in '"
              + channel.name()
              + "': at most "
              + RecurringCommands.MAXIMUM
              + " are stored. Remove some, or use another schedule.");
    }
  }

  void add(String name) {
    change(names -> names.add(name));
  }

  void remove(String name) {
    change(names -> names.remove(name));
  }

  /** Stores the names unless the change says that it has changed nothing. */
  private void change(Predicate<Set<String>> change) {
    OptimisticUpdate.change(
        channel,
        key,
        stored -> {
          Set<String> names = new TreeSet<>(RecurringFormat.decodeNames(stored));
          return change.test(names)
              ? new Change(RecurringFormat.encodeNames(names), List.of(), List.of())
              : null;
        });
  }
}
