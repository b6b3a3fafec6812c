package dev.mailroom.mediator;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.mediator.internal.HandlerClasses;
import dev.mailroom.mediator.internal.HandlerThreads;
import dev.mailroom.mediator.internal.PipelineMediator;
import dev.mailroom.mediator.internal.Registration;
import dev.mailroom.mediator.internal.Registry;
import dev.mailroom.spi.HandlerResolver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
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
    List<Registration> register(HandlerClasses classes);
  }

  /** Handles commands without a result. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type, CommandHandler<? super C> handler) {
    return command(type, handler, HandlerSettings.DEFAULT);
  }

  /** Handles commands without a result, with settings. */
  public <C extends Command> MediatorBuilder command(
      Class<C> type, CommandHandler<? super C> handler, HandlerSettings settings) {
    return add(CommandHandler.class, type, handler, settings);
  }

  /** Handles commands with a result. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler) {
    return resultCommand(type, handler, HandlerSettings.DEFAULT);
  }

  /** Handles commands with a result, with settings. */
  public <C extends ResultCommand<R>, R extends @Nullable Object> MediatorBuilder resultCommand(
      Class<C> type, ResultCommandHandler<C, R> handler, HandlerSettings settings) {
    return add(ResultCommandHandler.class, type, handler, settings);
  }

  /** Handles queries. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler) {
    return query(type, handler, HandlerSettings.DEFAULT);
  }

  /** Handles queries, with settings. */
  public <Q extends Query<R>, R extends @Nullable Object> MediatorBuilder query(
      Class<Q> type, QueryHandler<Q, R> handler, HandlerSettings settings) {
    return add(QueryHandler.class, type, handler, settings);
  }

  /** Handles queries that are answered with a stream. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler) {
    return stream(type, handler, HandlerSettings.DEFAULT);
  }

  /** Handles queries that are answered with a stream, with settings. */
  public <Q extends StreamQuery<R>, R> MediatorBuilder stream(
      Class<Q> type, StreamQueryHandler<Q, R> handler, HandlerSettings settings) {
    return add(StreamQueryHandler.class, type, handler, settings);
  }

  /** Handles events, which may be of any type. */
  public <E> MediatorBuilder event(Class<E> type, EventHandler<? super E> handler) {
    return event(type, handler, HandlerSettings.DEFAULT);
  }

  /** Handles events, which may be of any type, with settings. */
  public <E> MediatorBuilder event(
      Class<E> type, EventHandler<? super E> handler, HandlerSettings settings) {
    return add(EventHandler.class, type, handler, settings);
  }

  /** Checks messages before anything else happens. */
  public <M> MediatorBuilder validator(Class<M> type, Validator<? super M> handler) {
    return validator(type, handler, HandlerSettings.DEFAULT);
  }

  /** Checks messages before anything else happens, with settings. */
  public <M> MediatorBuilder validator(
      Class<M> type, Validator<? super M> handler, HandlerSettings settings) {
    return add(Validator.class, type, handler, settings);
  }

  /** Runs before the handler. */
  public <M> MediatorBuilder preHandler(Class<M> type, PreHandler<? super M> handler) {
    return preHandler(type, handler, HandlerSettings.DEFAULT);
  }

  /** Runs before the handler, with settings. */
  public <M> MediatorBuilder preHandler(
      Class<M> type, PreHandler<? super M> handler, HandlerSettings settings) {
    return add(PreHandler.class, type, handler, settings);
  }

  /** Runs after the handler. */
  public <M> MediatorBuilder postHandler(Class<M> type, PostHandler<? super M> handler) {
    return postHandler(type, handler, HandlerSettings.DEFAULT);
  }

  /** Runs after the handler, with settings. */
  public <M> MediatorBuilder postHandler(
      Class<M> type, PostHandler<? super M> handler, HandlerSettings settings) {
    return add(PostHandler.class, type, handler, settings);
  }

  /** Sees what went wrong. */
  public <M> MediatorBuilder errorHandler(Class<M> type, ErrorHandler<? super M> handler) {
    return errorHandler(type, handler, HandlerSettings.DEFAULT);
  }

  /** Sees what went wrong, with settings. */
  public <M> MediatorBuilder errorHandler(
      Class<M> type, ErrorHandler<? super M> handler, HandlerSettings settings) {
    return add(ErrorHandler.class, type, handler, settings);
  }

  /**
   * Registers an object for each handler interface that its class implements. The class says the
   * types of messages; its {@link MediatorHandler}, if it has one, the settings.
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
   * Registers all handler classes of these packages and those below them. The commands and queries
   * that are in them too must each have a handler.
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
   *     several handlers for one command or query, required ones without any, and so on
   */
  public Mediator build() {
    Registry registry = new Registry();
    HandlerClasses classes = new HandlerClasses(resolver);
    List<Registration> registrations = new ArrayList<>();
    steps.forEach(step -> registry.attempt(() -> registrations.addAll(step.register(classes))));
    registry.check(registrations);
    PipelineMediator mediator = new PipelineMediator(registrations, resolver, events, executor);
    registry.check(mediator, required);
    registry.check(mediator, classes.requests());
    registry.raise();
    return mediator;
  }

  private List<Registration> scan(String packageName, HandlerClasses classes) {
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
    Registration registration = Registration.of(role, type, handler, settings);
    steps.add(classes -> List.of(registration));
    return this;
  }
}
