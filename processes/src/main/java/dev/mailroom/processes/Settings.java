package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was described of a process type, but for its state.
 *
 * @param name its name, and that of its inbox
 * @param steps its steps, by the type of their message
 * @param options its inbox's options
 * @param store a store of its own; null means the mailroom's
 * @param history how many events each instance remembers
 * @param keep how long an instance that has ended can be looked at; null means not at all
 * @param undoing whether an instance is given up when the message of a step dies
 */
record Settings(
    String name,
    Map<Class<?>, Binding<?, ?>> steps,
    InboxOptions options,
    @Nullable Store store,
    int history,
    @Nullable Duration keep,
    boolean undoing) {
  /** The most timeouts that one instance waits for. */
  static final int MOST_TIMEOUTS = 100;

  /** The most undo commands that one instance remembers. */
  static final int MOST_UNDOS = 100;

  Settings {
    steps = Map.copyOf(steps);
  }

  /** The step for this message. */
  Binding<?, ?> requireStep(Object message) {
    Binding<?, ?> step = steps.get(message.getClass());
    if (step == null) {
      throw new InvalidMessageException(
          "Process '"
              + name
              + "' has no step for "
              + message.getClass().getName()
              + "; it has steps for "
              + steps.keySet().stream().map(Class::getSimpleName).sorted().toList()
              + ".");
    }
    return step;
  }
}
