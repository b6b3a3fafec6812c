package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.Query;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.mediator.StreamQuery;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The mediator as a handler sees it: its calls know the call they come from. */
record NestedMediator(PipelineMediator mediator, Execution parent) implements Mediator {

  @Override
  public void send(Command command, CallOptions options) {
    mediator.call(command, options, parent);
  }

  @Override
  public <R extends @Nullable Object> R send(ResultCommand<R> command, CallOptions options) {
    return mediator.call(command, options, parent);
  }

  @Override
  public <R extends @Nullable Object> R query(Query<R> query, CallOptions options) {
    return mediator.call(query, options, parent);
  }

  @Override
  public <R> Stream<R> stream(StreamQuery<R> query, CallOptions options) {
    return mediator.read(query, options, parent);
  }

  @Override
  public void publish(Object event, CallOptions options) {
    mediator.publishEvent(event, options, parent);
  }

  @Override
  public void requireHandler(Class<?> type) {
    mediator.requireHandler(type);
  }

  @Override
  public List<HandlerDescription> handlers() {
    return mediator.handlers();
  }
}
