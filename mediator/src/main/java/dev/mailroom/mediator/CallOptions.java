package dev.mailroom.mediator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one call. Immutable: each method answers a changed copy.
 *
 * @param tags handlers with tags run only if the call has one of them; handlers without always do
 * @param filter which of those handlers run; null means all of them
 * @param items what the execution context holds from the start
 * @param cancellation asked before each handler
 * @param durable the stored message behind the call; null for an ordinary one
 * @param events how event handlers run, for {@code publish} alone; null means as the mediator says
 */
public record CallOptions(
    Set<String> tags,
    @Nullable Predicate<HandlerDescription> filter,
    Map<ContextKey<?>, Object> items,
    Cancellation cancellation,
    @Nullable DurableExecution durable,
    @Nullable EventMode events) {

  /** Nothing particular. */
  public static final CallOptions NONE =
      new CallOptions(Set.of(), null, Map.of(), Cancellation.NEVER, null, null);

  /** Copies the tags and items. */
  public CallOptions {
    tags = Set.copyOf(tags);
    items = Map.copyOf(items);
  }

  /** With these tags instead of those before. */
  public CallOptions tags(String... values) {
    return new CallOptions(
        Set.copyOf(List.of(values)), filter, items, cancellation, durable, events);
  }

  /** Runs only the handlers that the predicate accepts, in every stage. */
  public CallOptions filter(Predicate<HandlerDescription> value) {
    return new CallOptions(tags, value, items, cancellation, durable, events);
  }

  /** With one more item in the execution context. */
  public <T> CallOptions item(ContextKey<T> key, T value) {
    Map<ContextKey<?>, Object> more = new HashMap<>(items);
    more.put(key, value);
    return new CallOptions(tags, filter, more, cancellation, durable, events);
  }

  /** Cancelled by this. */
  public CallOptions cancellation(Cancellation value) {
    return new CallOptions(tags, filter, items, value, durable, events);
  }

  /** Says that a stored message is behind the call. */
  public CallOptions durable(DurableExecution value) {
    return new CallOptions(tags, filter, items, cancellation, value, events);
  }

  /** How the handlers of an event run. */
  public CallOptions events(EventMode value) {
    return new CallOptions(tags, filter, items, cancellation, durable, value);
  }
}
