package dev.mailroom.mediator.internal;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.EventMode;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.Query;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.mediator.StreamQuery;
import dev.mailroom.spi.HandlerResolver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the pipeline of a message's class and runs it.
 *
 * <p>Pipelines are kept in a map of this mediator rather than in a {@link ClassValue}, whose values
 * would stay with the classes when the mediator is gone. The map is bounded by the classes that the
 * program sends.
 */
public final class PipelineMediator implements Mediator {
  private final ConcurrentMap<Class<?>, Pipeline> pipelines = new ConcurrentHashMap<>();
  private final List<RegisteredHandler> registrations;
  private final @Nullable HandlerResolver resolver;
  private final EventMode events;
  private final Executor executor;

  /**
   * A mediator with these handlers.
   *
   * @param registrations the handlers, checked, in the order of registration
   * @param resolver supplies handlers that are registered by class; null if none is
   * @param events how event handlers run unless a call says otherwise
   * @param executor runs event handlers in parallel
   */
  public PipelineMediator(
      List<RegisteredHandler> registrations,
      @Nullable HandlerResolver resolver,
      EventMode events,
      Executor executor) {
    this.registrations = List.copyOf(registrations);
    this.resolver = resolver;
    this.events = events;
    this.executor = executor;
  }

  @Override
  public void send(Command command, CallOptions options) {
    call(command, options, null);
  }

  @Override
  public <R extends @Nullable Object> R send(ResultCommand<R> command, CallOptions options) {
    return call(command, options, null);
  }

  @Override
  public <R extends @Nullable Object> R query(Query<R> query, CallOptions options) {
    return call(query, options, null);
  }

  @Override
  public <R> Stream<R> stream(StreamQuery<R> query, CallOptions options) {
    return read(query, options, null);
  }

  @Override
  public void publish(Object event, CallOptions options) {
    publishEvent(event, options, null);
  }

  @Override
  public void requireHandler(Class<?> type) {
    Pipeline pipeline = pipeline(type);
    if (pipeline.kind() != MessageKind.EVENT && !pipeline.isHandled()) {
      throw pipeline.notFound(CallOptions.defaults());
    }
  }

  @Override
  public List<HandlerDescription> handlers() {
    return registrations.stream().map(RegisteredHandler::description).toList();
  }

  /** Runs a command or a query. Its own declaration says what the result is, and if it is null. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
  <R extends @Nullable Object> R call(
      Object message, CallOptions options, @Nullable Execution parent) {
    return (R) PipelineRun.run(message, start(message, options, parent));
  }

  /** Runs a stream query. */
  @SuppressWarnings("unchecked") // The handler's signature says so.
  <R> Stream<R> read(StreamQuery<R> query, CallOptions options, @Nullable Execution parent) {
    return (Stream<R>) PipelineRun.open(query, start(query, options, parent));
  }

  /** Publishes an event. */
  void publishEvent(Object event, CallOptions options, @Nullable Execution parent) {
    MessageKind kind = pipeline(Objects.requireNonNull(event, "event").getClass()).kind();
    if (kind != MessageKind.EVENT) {
      throw new IllegalArgumentException(
          event.getClass().getName()
              + " is "
              + kind.words()
              + ", not an event: use Mediator."
              + kind.verb()
              + " for it.");
    }
    PipelineRun.run(event, start(event, options, parent));
  }

  /** A wiring that cannot work shows here, before any handler has run. */
  private Execution start(Object message, CallOptions options, @Nullable Execution parent) {
    Pipeline pipeline = pipeline(Objects.requireNonNull(message, "message").getClass());
    Execution execution = new Execution(this, pipeline, options, parent);
    if (execution.selection().main == null && pipeline.kind() != MessageKind.EVENT) {
      throw pipeline.notFound(options);
    }
    if (parent != null && execution.depth() >= Execution.MAXIMUM_DEPTH) {
      throw new MailroomException(
          "Handlers call each other recursively, "
              + execution.depth()
              + " calls deep; the last ones: "
              + trail(execution)
              + ".");
    }
    return execution;
  }

  private static String trail(Execution last) {
    Deque<String> types = new ArrayDeque<>();
    for (Execution each = last; each != null && types.size() < 6; each = each.parent()) {
      types.addFirst(each.pipeline().type().getName());
    }
    return String.join(" > ", types);
  }

  /** A plain get first: it takes no lock and makes no object, as the other call may. */
  private Pipeline pipeline(Class<?> type) {
    Pipeline known = pipelines.get(type);
    return known != null
        ? known
        : pipelines.computeIfAbsent(type, each -> new Pipeline(each, registrations));
  }

  /** Opens a scope for one call; asked only for handlers that the resolver supplies. */
  HandlerResolver.Scope openScope() {
    return Objects.requireNonNull(resolver, "resolver").open();
  }

  EventMode events() {
    return events;
  }

  Executor executor() {
    return executor;
  }
}
