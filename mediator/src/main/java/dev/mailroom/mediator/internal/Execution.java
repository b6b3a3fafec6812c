package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.ContextKey;
import dev.mailroom.mediator.DurableExecution;
import dev.mailroom.mediator.EventMode;
import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.spi.HandlerResolver;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call. The only object that an ordinary call makes, so everything that most calls do not need
 * is made when it is first asked for.
 */
final class Execution implements ExecutionContext {
  /** Deeper than any sensible chain of calls, and far from the end of the stack. */
  static final int MAXIMUM_DEPTH = 64;

  private final PipelineMediator mediator;
  private final Pipeline pipeline;
  private final HandlerSelection selection;
  private final CallOptions options;
  private final @Nullable Execution parent;
  private @Nullable Map<ContextKey<?>, Object> items;
  private HandlerResolver.@Nullable Scope scope;
  private @Nullable Object result;
  private boolean answered;
  private boolean replaceable;
  private volatile boolean aborted;

  Execution(
      PipelineMediator mediator,
      Pipeline pipeline,
      CallOptions options,
      @Nullable Execution parent) {
    this.mediator = mediator;
    this.pipeline = pipeline;
    this.selection = pipeline.selection(options);
    this.options = options;
    this.parent = parent;
  }

  Pipeline pipeline() {
    return pipeline;
  }

  HandlerSelection selection() {
    return selection;
  }

  CallOptions options() {
    return options;
  }

  @Nullable Execution parent() {
    return parent;
  }

  /** How many calls this one is inside of. Counted when asked, to keep this object small. */
  int depth() {
    int depth = 0;
    for (Execution each = parent; each != null; each = each.parent) {
      depth++;
    }
    return depth;
  }

  @Override
  @SuppressWarnings("unchecked") // It was put under the same key, and so with the same type.
  public synchronized <T> @Nullable T get(ContextKey<T> key) {
    return (T) (items == null ? options.items() : items).get(key);
  }

  @Override
  public synchronized <T> void put(ContextKey<T> key, T value) {
    if (items == null) {
      items = new HashMap<>(options.items());
    }
    items.put(key, value);
  }

  @Override
  public Set<String> tags() {
    return options.tags();
  }

  @Override
  public void abort() {
    if (pipeline.kind().hasResult()) {
      throw new IllegalStateException(
          named() + " needs a result: abort with one, or throw an exception.");
    }
    aborted = true;
  }

  @Override
  public void abort(@Nullable Object answer) {
    give(answer);
    aborted = true;
  }

  @Override
  public boolean isAborted() {
    return aborted;
  }

  @Override
  public void replaceResult(@Nullable Object answer) {
    if (!replaceable) {
      throw new IllegalStateException(
          named()
              + " has no result to replace yet: to answer in the handler's place, abort with"
              + " a result.");
    }
    give(answer);
  }

  private void give(@Nullable Object answer) {
    if (!pipeline.kind().hasResult()) {
      throw new IllegalStateException(named() + " has no result, so none can be given.");
    }
    if (answer != null && !pipeline.resultType().isInstance(answer)) {
      throw new ClassCastException(
          named()
              + " has a result of type "
              + pipeline.resultType().getName()
              + ", but was given a "
              + answer.getClass().getName()
              + ".");
    }
    answered(answer);
  }

  private String named() {
    return pipeline.type().getName() + ", which is " + pipeline.kind().words() + ",";
  }

  @Override
  public boolean isCancelled() {
    return options.cancellation().isCancelled() || (parent != null && parent.isCancelled());
  }

  /** Ends the call if it was cancelled. */
  void proceed() {
    if (isCancelled()) {
      throw cancellation();
    }
  }

  CancellationException cancellation() {
    return new CancellationException(
        "The call of " + pipeline.type().getName() + " was cancelled.");
  }

  @Override
  public @Nullable DurableExecution durable() {
    return options.durable();
  }

  @Override
  public Mediator mediator() {
    return new NestedMediator(mediator, this);
  }

  /** Notes the result; from now on it can be replaced. */
  void answered(@Nullable Object answer) {
    result = answer;
    answered = true;
    replaceable = true;
  }

  /** Something went wrong: an error handler may now give a result. */
  void failed() {
    replaceable = true;
  }

  /** How event handlers run in this call. */
  EventMode events() {
    EventMode own = options.events();
    return own == null ? mediator.events() : own;
  }

  /** Where event handlers run in parallel. */
  Executor executor() {
    return mediator.executor();
  }

  boolean isAnswered() {
    return answered;
  }

  @Nullable Object result() {
    return result;
  }

  /** The instance of that class in this call's scope, which the first one opens. */
  synchronized Object resolve(Class<?> type) {
    if (scope == null) {
      scope = mediator.openScope();
    }
    return scope.resolve(type);
  }

  /** Closes the scope, if there was one; again does nothing. */
  synchronized void close() {
    HandlerResolver.Scope open = scope;
    if (open != null) {
      scope = null;
      open.close();
    }
  }
}
