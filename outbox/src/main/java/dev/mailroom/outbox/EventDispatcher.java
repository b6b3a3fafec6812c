package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.DurableExecution;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.HandlerDescription.Stage;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.outbox.spi.DecodesEvents;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Publishes events to the mediator's handlers in this process. Their context says that a stored
 * message is behind the call: its id, attempt, tenant, correlation, causation and trace.
 *
 * <p>If one handler fails, the event is redelivered to all of them: each must be idempotent by the
 * message's id. An event without handlers is done.
 */
public final class EventDispatcher implements Dispatcher, DecodesEvents {
  private final Mediator mediator;
  private final CallOptions options;

  /** To all handlers of an event that need no tag. */
  public EventDispatcher(Mediator mediator) {
    this(mediator, CallOptions.defaults());
  }

  /** With options for every call: tags, a filter, how the handlers of one event run. */
  public EventDispatcher(Mediator mediator, CallOptions options) {
    this.mediator = mediator;
    this.options = options;
  }

  @Override
  public Set<Class<?>> eventTypes() {
    return mediator.handlers().stream()
        .filter(handler -> handler.stage() == Stage.HANDLER)
        .map(HandlerDescription::messageType)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Result dispatch(OutboxMessage message) {
    Object event;
    try {
      event = message.event();
    } catch (UnknownContractException unknown) {
      return Result.of(new HandlerOutcome.Parked(String.valueOf(unknown.getMessage())));
    } catch (MailroomException undecodable) {
      return Result.of(HandlerOutcome.undecodable(undecodable));
    }
    DurableExecution durable =
        new DurableExecution(message.id(), message.attempt(), message.tenant(), message.trace());
    mediator.publish(event, options.toBuilder().durable(durable).build());
    return Result.success();
  }
}
