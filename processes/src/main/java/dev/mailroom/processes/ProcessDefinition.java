package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a process type, without its state.
 *
 * @param name its name, and that of its inbox
 * @param steps its steps, by the type of their message
 * @param options its inbox's options
 * @param store a store of its own; null means the mailroom's
 * @param history how many events each instance remembers
 * @param keep how long an instance that has ended can be looked at; null means not at all
 * @param failOnDeadLetter whether an instance fails when a step fails permanently
 */
record ProcessDefinition(
    String name,
    Map<Class<?>, StepDefinition<?, ?>> steps,
    InboxOptions options,
    @Nullable Store store,
    int history,
    @Nullable Duration keep,
    boolean failOnDeadLetter) {
  /** The most timeouts that one instance waits for. */
  static final int MAX_TIMEOUTS = 100;

  /** The most compensations that one instance holds. */
  static final int MAX_COMPENSATIONS = 100;

  ProcessDefinition {
    steps = Map.copyOf(steps);
  }

  /** The step for this message. */
  StepDefinition<?, ?> requireStep(Object message) {
    StepDefinition<?, ?> step = steps.get(message.getClass());
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
