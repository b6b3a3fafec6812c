package dev.mailroom.mediator;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.mediator.internal.HandlerClasses;
import dev.mailroom.mediator.internal.HandlerThreads;
import dev.mailroom.mediator.internal.PipelineMediator;
import dev.mailroom.mediator.internal.RegisteredHandler;
import dev.mailroom.mediator.internal.Registry;
import dev.mailroom.spi.HandlerResolver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes a mediator: its handlers and where they come from. The order of registration is the
 * order in which handlers of equal priority run. Everything that is wrong is reported by {@link
 * #build}, at once.
 */
public final class MediatorBuilder {
  private final List<Registering> steps = new ArrayList<>();
  private final Set<Class<?>> required = new LinkedHashSet<>();
  private @Nullable HandlerResolver resolver;
  private @Nullable ClassLoader loader;
  private EventMode events = EventMode.SEQUENTIAL;
  private Executor executor = HandlerThreads.executor();

  MediatorBuilder() {}

  /** A step of the registration, taken when everything about the mediator is known. */
  private interface Registering {
    List<RegisteredHandler> register(HandlerClasses classes);
  }

  /** Handles commands without a result. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type, CommandHandler<? super C> handler) {
    return command(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles commands without a result, with options. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type, CommandHandler<? super C> handler, MediatorHandlerOptions options) {
    return add(CommandHandler.class, type, handler, options);
  }

  /** Handles commands without a result, with options from a lambda. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type,
      CommandHandler<? super C> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return command(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Handles commands with a result. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler) {
    return resultCommand(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles commands with a result, with options. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler, MediatorHandlerOptions options) {
    return add(ResultCommandHandler.class, type, handler, options);
  }

  /** Handles commands with a result, with options from a lambda. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type,
      ResultCommandHandler<C, R> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return resultCommand(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Handles queries. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler) {
    return query(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles queries, with options. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler, MediatorHandlerOptions options) {
    return add(QueryHandler.class, type, handler, options);
  }

  /** Handles queries, with options from a lambda. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler, Consumer<MediatorHandlerOptions.Builder> options) {
    return query(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Handles queries that are answered with a stream. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler) {
    return stream(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles queries that are answered with a stream, with options. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler, MediatorHandlerOptions options) {
    return add(StreamQueryHandler.class, type, handler, options);
  }

  /** Handles queries that are answered with a stream, with options from a lambda. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type,
      StreamQueryHandler<Q, R> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return stream(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Handles events of any type. */
  public <E> MediatorBuilder event(Class<E> type, EventHandler<? super E> handler) {
    return event(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles events, of any type, with options. */
  public <E> MediatorBuilder event(
      Class<E> type, EventHandler<? super E> handler, MediatorHandlerOptions options) {
    return add(EventHandler.class, type, handler, options);
  }

  /** Handles events, of any type, with options from a lambda. */
  public <E> MediatorBuilder event(
      Class<E> type,
      EventHandler<? super E> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return event(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Validates messages before any other stage. */
  public <M> MediatorBuilder validator(Class<M> type, Validator<? super M> handler) {
    return validator(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Validates messages before any other stage, with options. */
  public <M> MediatorBuilder validator(
      Class<M> type, Validator<? super M> handler, MediatorHandlerOptions options) {
    return add(Validator.class, type, handler, options);
  }

  /** Validates messages before any other stage, with options from a lambda. */
  public <M> MediatorBuilder validator(
      Class<M> type,
      Validator<? super M> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return validator(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Runs before the handler. */
  public <M> MediatorBuilder preHandler(Class<M> type, PreHandler<? super M> handler) {
    return preHandler(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Runs before the handler, with options. */
  public <M> MediatorBuilder preHandler(
      Class<M> type, PreHandler<? super M> handler, MediatorHandlerOptions options) {
    return add(PreHandler.class, type, handler, options);
  }

  /** Runs before the handler, with options from a lambda. */
  public <M> MediatorBuilder preHandler(
      Class<M> type,
      PreHandler<? super M> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return preHandler(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Runs after the handler. */
  public <M> MediatorBuilder postHandler(Class<M> type, PostHandler<? super M> handler) {
    return postHandler(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Runs after the handler, with options. */
  public <M> MediatorBuilder postHandler(
      Class<M> type, PostHandler<? super M> handler, MediatorHandlerOptions options) {
    return add(PostHandler.class, type, handler, options);
  }

  /** Runs after the handler, with options from a lambda. */
  public <M> MediatorBuilder postHandler(
      Class<M> type,
      PostHandler<? super M> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return postHandler(type, handler, MediatorHandlerOptions.of(options));
  }

  /** Handles errors of the other stages. */
  public <M> MediatorBuilder errorHandler(Class<M> type, ErrorHandler<? super M> handler) {
    return errorHandler(type, handler, MediatorHandlerOptions.defaults());
  }

  /** Handles errors of the other stages, with options. */
  public <M> MediatorBuilder errorHandler(
      Class<M> type, ErrorHandler<? super M> handler, MediatorHandlerOptions options) {
    return add(ErrorHandler.class, type, handler, options);
  }

  /** Handles errors of the other stages, with options from a lambda. */
  public <M> MediatorBuilder errorHandler(
      Class<M> type,
      ErrorHandler<? super M> handler,
      Consumer<MediatorHandlerOptions.Builder> options) {
    return errorHandler(type, handler, MediatorHandlerOptions.of(options));
  }

  /**
   * Registers an object for each handler interface that its class implements. The class declares
   * the message types; its {@link MediatorHandler}, if it has one, the options.
   */
  public MediatorBuilder handler(Object handler) {
    steps.add(classes -> HandlerClasses.ofInstance(handler));
    return this;
  }

  /**
   * Registers a class for each handler interface that it implements. Its instances come from the
   * {@linkplain #resolver resolver}, one for each call. Registered again, it is still there once.
   */
  public MediatorBuilder handler(Class<?> handler) {
    steps.add(classes -> classes.ofClass(handler));
    return this;
  }

  /**
   * Registers all handler classes of these packages and their subpackages. The commands and queries
   * found in them must each have a handler.
   */
  public MediatorBuilder scan(String... packages) {
    for (String each : packages) {
      steps.add(classes -> scan(each, classes));
    }
    return this;
  }

  /** Registers the handler classes of these packages that the predicate accepts, and no others. */
  public MediatorBuilder scan(Predicate<Class<?>> which, String... packages) {
    for (String each : packages) {
      steps.add(classes -> classes.ofPackage(each, loader(), which.and(HandlerClasses::isHandler)));
    }
    return this;
  }

  /** Registers the classes of these packages that are marked with {@link MediatorHandler}. */
  public MediatorBuilder scanAnnotated(String... packages) {
    for (String each : packages) {
      steps.add(classes -> classes.ofPackage(each, loader(), MediatorBuilder::isAnnotated));
    }
    return this;
  }

  /** Where {@code scan} looks for packages. Default: the thread's context class loader. */
  public MediatorBuilder classLoader(ClassLoader value) {
    loader = value;
    return this;
  }

  /**
   * Supplies the handlers that are registered by class, in a scope for each call. Default: one
   * instance for all calls, made now by its constructor without parameters.
   */
  public MediatorBuilder resolver(HandlerResolver value) {
    resolver = value;
    return this;
  }

  /** Concrete commands and queries that must have a handler, so that a missing one shows now. */
  public MediatorBuilder require(Class<?>... types) {
    required.addAll(List.of(types));
    return this;
  }

  /** How event handlers run unless a call says otherwise. Default: one after another. */
  public MediatorBuilder events(EventMode value) {
    events = value;
    return this;
  }

  /**
   * Runs the event handlers that run in parallel. Default: a new thread for each, virtual on Java
   * 21 and newer. What it rejects runs in the publisher's thread; what it queues is waited for, so
   * a pool that is full of waiting publishers is a deadlock.
   */
  public MediatorBuilder executor(Executor value) {
    executor = value;
    return this;
  }

  /**
   * The mediator.
   *
   * @throws InvalidOptionsException naming everything that is wrong: classes that are not handlers,
   *     several handlers for one command or query, required types without a handler, and so on
   */
  public Mediator build() {
    Registry registry = new Registry();
    HandlerClasses classes = new HandlerClasses(resolver);
    List<RegisteredHandler> registrations = new ArrayList<>();
    steps.forEach(step -> registry.attempt(() -> registrations.addAll(step.register(classes))));
    registry.check(registrations);
    PipelineMediator mediator = new PipelineMediator(registrations, resolver, events, executor);
    registry.check(mediator, required);
    registry.check(mediator, classes.requests());
    registry.raise();
    return mediator;
  }

  private List<RegisteredHandler> scan(String packageName, HandlerClasses classes) {
    classes.requireRequests(packageName, loader());
    return classes.ofPackage(packageName, loader(), HandlerClasses::isHandler);
  }

  private static boolean isAnnotated(Class<?> type) {
    return type.isAnnotationPresent(MediatorHandler.class);
  }

  private ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = MediatorBuilder.class.getClassLoader();
    return loader != null ? loader : context != null ? context : own;
  }

  private MediatorBuilder add(
      Class<?> role, Class<?> type, Object handler, MediatorHandlerOptions options) {
    RegisteredHandler registration = RegisteredHandler.of(role, type, handler, options);
    steps.add(classes -> List.of(registration));
    return this;
  }
}
