package dev.mailroom.processes;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import java.util.function.Function;

/**
 * One step of a process type and the messages that cause it.
 *
 * @param type the type of its messages
 * @param key takes the instance's key from a message
 * @param missing what becomes of a message for which there is no instance
 * @param handler the step
 */
record StepDefinition<S, M>(
    Class<M> type, Function<M, String> key, MissingInstance missing, StepHandler<S, M> handler) {

  String keyOf(Object message) {
    String found = key.apply(type.cast(message));
    if (found == null || found.isBlank()) {
      throw new InvalidMessageException(
          "A " + type.getName() + " names no instance: its key is blank. Nothing was stored.");
    }
    return Limits.requireName("process key", found);
  }

  S handle(Step<S> step, Object message) throws Exception {
    return handler.handle(step, type.cast(message));
  }
}
