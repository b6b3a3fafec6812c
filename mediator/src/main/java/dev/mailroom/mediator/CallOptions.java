package dev.mailroom.mediator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Options of one call. Immutable and thread-safe, so that one object can serve many calls: {@code
 * mediator.send(command, options -> options.tags("eu"))}.
 */
public final class CallOptions {
  private static final CallOptions DEFAULTS = new CallOptions(new Builder());

  private final Set<String> tags;
  private final @Nullable Predicate<HandlerDescription> filter;
  private final Map<ContextKey<?>, Object> items;
  private final Cancellation cancellation;
  private final @Nullable DurableExecution durable;
  private final @Nullable EventMode events;

  private CallOptions(Builder builder) {
    tags = builder.tags;
    filter = builder.filter;
    items = builder.items.isEmpty() ? Map.of() : Map.copyOf(builder.items);
    cancellation = builder.cancellation;
    durable = builder.durable;
    events = builder.events;
  }

  /** No option is set. */
  public static CallOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code CallOptions.of(options -> options.tags("eu"))}. */
  public static CallOptions of(Consumer<Builder> options) {
    Builder builder = new Builder();
    options.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The tags of the call; empty by default. */
  public Set<String> tags() {
    return tags;
  }

  /** Which of the handlers selected by tags run, or null for all of them. */
  public @Nullable Predicate<HandlerDescription> filter() {
    return filter;
  }

  /** The items that the execution context starts with. */
  public Map<ContextKey<?>, Object> items() {
    return items;
  }

  /** Checked before each handler. Default: {@link Cancellation#NEVER}. */
  public Cancellation cancellation() {
    return cancellation;
  }

  /** The stored message behind the call, or null for an ordinary call. */
  public @Nullable DurableExecution durable() {
    return durable;
  }

  /** How the handlers of an event run, or null for the mediator's default. */
  public @Nullable EventMode events() {
    return events;
  }

  /** Sets options of one call. Not thread-safe. */
  public static final class Builder {
    private Set<String> tags = Set.of();
    private @Nullable Predicate<HandlerDescription> filter;
    private Map<ContextKey<?>, Object> items = Map.of();
    private Cancellation cancellation = Cancellation.NEVER;
    private @Nullable DurableExecution durable;
    private @Nullable EventMode events;

    private Builder() {}

    private Builder(CallOptions options) {
      tags = options.tags;
      filter = options.filter;
      items = options.items;
      cancellation = options.cancellation;
      durable = options.durable;
      events = options.events;
    }

    /**
     * The tags of the call, in place of earlier ones. A handler with tags runs only if the call has
     * one of them; a handler without tags always runs.
     */
    public Builder tags(String... values) {
      tags = Set.copyOf(List.of(values));
      return this;
    }

    /** Runs only the handlers that the predicate accepts, in every stage. Null means all. */
    public Builder filter(@Nullable Predicate<HandlerDescription> value) {
      filter = value;
      return this;
    }

    /** Adds an item to the execution context. */
    public <T> Builder item(ContextKey<T> key, T value) {
      Map<ContextKey<?>, Object> more = new HashMap<>(items);
      more.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
      items = more;
      return this;
    }

    /** Cancels the call. Default: {@link Cancellation#NEVER}. */
    public Builder cancellation(Cancellation value) {
      cancellation = Objects.requireNonNull(value, "cancellation");
      return this;
    }

    /** The stored message behind the call; for extensions. Null for an ordinary call. */
    public Builder durable(@Nullable DurableExecution value) {
      durable = value;
      return this;
    }

    /** How the handlers of an event run. Null means as the mediator was built. */
    public Builder events(@Nullable EventMode value) {
      events = value;
      return this;
    }

    /** The options. */
    public CallOptions build() {
      return new CallOptions(this);
    }
  }
}
