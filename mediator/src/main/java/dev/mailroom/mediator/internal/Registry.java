package dev.mailroom.mediator.internal;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.HandlerDescription.Stage;
import dev.mailroom.mediator.HandlerNotFoundException;
import dev.mailroom.mediator.Mediator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Checks what was registered, and reports everything that is wrong with it at once. */
public final class Registry {
  private final List<String> violations = new ArrayList<>();

  /** Runs a step of the registration, whose refusal is reported with everything else. */
  public void attempt(Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException refusal) {
      violations.add(String.valueOf(refusal.getMessage()));
    }
  }

  /** Checks handlers by themselves and each main handler against the others. */
  public void check(List<RegisteredHandler> registrations) {
    registrations.forEach(each -> attempt(() -> checkAlone(each)));
    for (int i = 0; i < registrations.size(); i++) {
      for (RegisteredHandler later : registrations.subList(i + 1, registrations.size())) {
        checkPair(registrations.get(i), later);
      }
    }
  }

  /** Checks that each of the types has its handler. */
  public void check(Mediator mediator, Collection<Class<?>> types) {
    for (Class<?> type : types) {
      attempt(() -> require(mediator, type));
    }
  }

  private void require(Mediator mediator, Class<?> type) {
    try {
      mediator.requireHandler(type);
    } catch (HandlerNotFoundException missing) {
      // Two handlers for the very same type have been reported by their names already.
      String text = String.valueOf(missing.getMessage());
      if (missing.candidates().stream().map(HandlerDescription::messageType).distinct().count()
          != 1) {
        violations.add(text);
      }
    }
  }

  private static void checkAlone(RegisteredHandler handler) {
    if (handler.description().tags().stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(handler.name() + " has a blank tag.");
    }
    Class<?> type = handler.messageType();
    MessageKind kind = MessageKind.of(type);
    if (handler.stage() == Stage.HANDLER && handler.role() != kind.handler()) {
      throw new IllegalArgumentException(
          handler.name()
              + " is a "
              + handler.role().getSimpleName()
              + ", but "
              + type.getName()
              + " is "
              + kind.words()
              + ": make it a "
              + kind.handler().getSimpleName()
              + ".");
    }
  }

  private void checkPair(RegisteredHandler one, RegisteredHandler other) {
    boolean rivals =
        one.stage() == Stage.HANDLER
            && one.role() == other.role()
            && one.role() != MessageKind.EVENT.handler()
            && one.messageType() == other.messageType();
    if (rivals && meet(one.description().tags(), other.description().tags())) {
      violations.add(
          "Several handlers for "
              + one.messageType().getName()
              + ", which needs exactly one: "
              + Pipeline.names(List.of(one, other))
              + ". Remove one, or give them tags that no call has together.");
    }
  }

  /** Whether every call that reaches one of them could not but reach the other. */
  private static boolean meet(Set<String> one, Set<String> other) {
    return one.isEmpty() || other.isEmpty() || !Collections.disjoint(one, other);
  }

  /**
   * Ends the checks.
   *
   * @throws InvalidOptionsException naming every violation, if there was any
   */
  public void raise() {
    if (!violations.isEmpty()) {
      throw new InvalidOptionsException("Mediator", violations);
    }
  }
}
