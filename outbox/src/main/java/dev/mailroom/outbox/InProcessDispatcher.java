package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.outbox.spi.DecodesEvents;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Calls the handlers of an event in this process, in the order they were registered. If one throws,
 * the event is retried for all of them.
 */
final class InProcessDispatcher implements Dispatcher, DecodesEvents {
  private final Map<Class<?>, List<EventMessageConsumer<Object>>> handlers = new LinkedHashMap<>();

  <T> void add(Class<T> type, EventMessageConsumer<? super T> handler) {
    handlers
        .computeIfAbsent(type, first -> new ArrayList<>())
        .add((event, message) -> handler.handle(type.cast(event), message));
  }

  boolean isEmpty() {
    return handlers.isEmpty();
  }

  @Override
  public Set<Class<?>> eventTypes() {
    return Set.copyOf(handlers.keySet());
  }

  @Override
  public Result dispatch(OutboxMessage message) throws Exception {
    Object event;
    try {
      event = message.event();
    } catch (UnknownContractException unknown) {
      return Result.of(new HandlerOutcome.Parked(String.valueOf(unknown.getMessage())));
    } catch (MailroomException undecodable) {
      return Result.deadLetter(String.valueOf(undecodable.getMessage()));
    }
    List<EventMessageConsumer<Object>> called = handlers.get(event.getClass());
    if (called == null) {
      return Result.of(
          new HandlerOutcome.Parked(
              "No handler matches an event of "
                  + event.getClass().getName()
                  + ": add one with Outbox.builder().on(…)."));
    }
    for (EventMessageConsumer<Object> handler : called) {
      handler.handle(event, message);
    }
    return Result.success();
  }
}
