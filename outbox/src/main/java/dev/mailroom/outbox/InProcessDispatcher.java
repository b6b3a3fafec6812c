package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.outbox.spi.DecodesEvents;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Calls the handlers of an event in this process, in the order they were registered. If one throws,
 * the event is retried for all of them.
 */
final class InProcessDispatcher implements Dispatcher, DecodesEvents {
  private final List<TypedHandler<?>> handlers = new ArrayList<>();

  private record TypedHandler<T>(Class<T> type, EventMessageConsumer<? super T> handler) {
    boolean matches(Object event) {
      return type.isInstance(event);
    }

    void handle(Object event, OutboxMessage message) throws Exception {
      handler.handle(type.cast(event), message);
    }
  }

  <T> void add(Class<T> type, EventMessageConsumer<? super T> handler) {
    handlers.add(
        new TypedHandler<>(
            Objects.requireNonNull(type, "type"), Objects.requireNonNull(handler, "handler")));
  }

  boolean isEmpty() {
    return handlers.isEmpty();
  }

  /** With the subtypes of sealed types: events are stored under contracts of theirs. */
  @Override
  public Set<Class<?>> eventTypes() {
    Set<Class<?>> types = new LinkedHashSet<>();
    handlers.forEach(handler -> addWithSubtypes(handler.type(), types));
    return types;
  }

  private static void addWithSubtypes(Class<?> type, Set<Class<?>> types) {
    if (types.add(type) && type.isSealed()) {
      for (Class<?> subtype : type.getPermittedSubclasses()) {
        addWithSubtypes(subtype, types);
      }
    }
  }

  @Override
  public Result dispatch(OutboxMessage message) throws Exception {
    Object event;
    try {
      event = message.event();
    } catch (UnknownContractException unknown) {
      return Result.of(new HandlerOutcome.Parked(String.valueOf(unknown.getMessage())));
    } catch (MailroomException undecodable) {
      return Result.of(HandlerOutcome.undecodable(undecodable));
    }
    boolean matched = false;
    for (TypedHandler<?> handler : handlers) {
      if (handler.matches(event)) {
        matched = true;
        handler.handle(event, message);
      }
    }
    return matched
        ? Result.success()
        : Result.of(
            new HandlerOutcome.Parked(
                "No handler matches an event of "
                    + event.getClass().getName()
                    + ": add one with Outbox.builder().on(…)."));
  }
}
