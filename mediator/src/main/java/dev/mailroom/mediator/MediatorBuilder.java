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
    return command(type, handler, HandlerSettings.defaults());
  }

  /** Handles commands without a result, with settings. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type, CommandHandler<? super C> handler, HandlerSettings settings) {
    return add(CommandHandler.class, type, handler, settings);
  }

  /** Handles commands without a result, with settings from a lambda. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type,
      CommandHandler<? super C> handler,
      Consumer<HandlerSettings.Builder> settings) {
    return command(type, handler, HandlerSettings.of(settings));
  }

  /** Handles commands with a result. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler) {
    return resultCommand(type, handler, HandlerSettings.defaults());
  }

  /** Handles commands with a result, with settings. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler, HandlerSettings settings) {
    return add(ResultCommandHandler.class, type, handler, settings);
  }

  /** Handles commands with a result, with settings from a lambda. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type,
      ResultCommandHandler<C, R> handler,
      Consumer<HandlerSettings.Builder> settings) {
    return resultCommand(type, handler, HandlerSettings.of(settings));
  }

  /** Handles queries. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler) {
    return query(type, handler, HandlerSettings.defaults());
  }

  /** Handles queries, with settings. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler, HandlerSettings settings) {
    return add(QueryHandler.class, type, handler, settings);
  }

  /** Handles queries, with settings from a lambda. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler, Consumer<HandlerSettings.Builder> settings) {
    return query(type, handler, HandlerSettings.of(settings));
  }

  /** Handles queries that are answered with a stream. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler) {
    return stream(type, handler, HandlerSettings.defaults());
  }

  /** Handles queries that are answered with a stream, with settings. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler, HandlerSettings settings) {
    return add(StreamQueryHandler.class, type, handler, settings);
  }

  /** Handles queries that are answered with a stream, with settings from a lambda. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler, Consumer<HandlerSettings.Builder> settings) {
    return stream(type, handler, HandlerSettings.of(settings));
  }

  /** Handles events of any type. */
  public <E> MediatorBuilder event(Class<E> type, EventHandler<? super E> handler) {
    return event(type, handler, HandlerSettings.defaults());
  }

  /** Handles events, of any type, with settings. */
  public <E> MediatorBuilder event(
      Class<E> type, EventHandler<? super E> handler, HandlerSettings settings) {
    return add(EventHandler.class, type, handler, settings);
  }

  /** Handles events, of any type, with settings from a lambda. */
  public <E> MediatorBuilder event(
      Class<E> type, EventHandler<? super E> handler, Consumer<HandlerSettings.Builder> settings) {
    return event(type, handler, HandlerSettings.of(settings));
  }

  /** Validates messages before any other stage. */
  public <M> MediatorBuilder validator(Class<M> type, Validator<? super M> handler) {
    return validator(type, handler, HandlerSettings.defaults());
  }

  /** Validates messages before any other stage, with settings. */
  public <M> MediatorBuilder validator(
      Class<M> type, Validator<? super M> handler, HandlerSettings settings) {
    return add(Validator.class, type, handler, settings);
  }

  /** Validates messages before any other stage, with settings from a lambda. */
  public <M> MediatorBuilder validator(
      Class<M> type, Validator<? super M> handler, Consumer<HandlerSettings.Builder> settings) {
    return validator(type, handler, HandlerSettings.of(settings));
  }

  /** Runs before the handler. */
  public <M> MediatorBuilder preHandler(Class<M> type, PreHandler<? super M> handler) {
    return preHandler(type, handler, HandlerSettings.defaults());
  }

  /** Runs before the handler, with settings. */
  public <M> MediatorBuilder preHandler(
      Class<M> type, PreHandler<? super M> handler, HandlerSettings settings) {
    return add(PreHandler.class, type, handler, settings);
  }

  /** Runs before the handler, with settings from a lambda. */
  public <M> MediatorBuilder preHandler(
      Class<M> type, PreHandler<? super M> handler, Consumer<HandlerSettings.Builder> settings) {
    return preHandler(type, handler, HandlerSettings.of(settings));
  }

  /** Runs after the handler. */
  public <M> MediatorBuilder postHandler(Class<M> type, PostHandler<? super M> handler) {
    return postHandler(type, handler, HandlerSettings.defaults());
  }

  /** Runs after the handler, with settings. */
  public <M> MediatorBuilder postHandler(
      Class<M> type, PostHandler<? super M> handler, HandlerSettings settings) {
    return add(PostHandler.class, type, handler, settings);
  }

  /** Runs after the handler, with settings from a lambda. */
  public <M> MediatorBuilder postHandler(
      Class<M> type, PostHandler<? super M> handler, Consumer<HandlerSettings.Builder> settings) {
    return postHandler(type, handler, HandlerSettings.of(settings));
  }

  /** Handles errors of the other stages. */
  public <M> MediatorBuilder errorHandler(Class<M> type, ErrorHandler<? super M> handler) {
    return errorHandler(type, handler, HandlerSettings.defaults());
  }

  /** Handles errors of the other stages, with settings. */
  public <M> MediatorBuilder errorHandler(
      Class<M> type, ErrorHandler<? super M> handler, HandlerSettings settings) {
    return add(ErrorHandler.class, type, handler, settings);
  }

  /** Handles errors of the other stages, with settings from a lambda. */
  public <M> MediatorBuilder errorHandler(
      Class<M> type, ErrorHandler<? super M> handler, Consumer<HandlerSettings.Builder> settings) {
    return errorHandler(type, handler, HandlerSettings.of(settings));
  }

  /**
   * Registers an object for each handler interface that its class implements. The class declares
   * the message types; its {@link MediatorHandler}, if it has one, the settings.
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
      Class<?> role, Class<?> type, Object handler, HandlerSettings settings) {
    RegisteredHandler registration = RegisteredHandler.of(role, type, handler, settings);
    steps.add(classes -> List.of(registration));
    return this;
  }
}
