package dev.mailroom.mediator;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one registered handler. A handler class states them with {@link MediatorHandler}.
 * Immutable and thread-safe.
 */
public final class MediatorHandlerOptions {
  private static final MediatorHandlerOptions DEFAULTS = new MediatorHandlerOptions(new Builder());

  private final @Nullable String name;
  private final int priority;
  private final Set<String> tags;

  private MediatorHandlerOptions(Builder builder) {
    name = builder.name;
    priority = builder.priority;
    tags = builder.tags;
  }

  /** No name, priority 0, no tags. */
  public static MediatorHandlerOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code MediatorHandlerOptions.of(options -> options.priority(-1))}. */
  public static MediatorHandlerOptions of(Consumer<Builder> options) {
    Builder builder = new Builder();
    options.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Its name in errors and for filters, or null for its class and message type. */
  public @Nullable String name() {
    return name;
  }

  /** The handlers of a stage run from low to high priority, equal ones as registered. */
  public int priority() {
    return priority;
  }

  /** The tags of which a call must have one for this handler to run; empty means always. */
  public Set<String> tags() {
    return tags;
  }

  /** Sets options of one handler. Not thread-safe. */
  public static final class Builder {
    private @Nullable String name;
    private int priority;
    private Set<String> tags = Set.of();

    private Builder() {}

    private Builder(MediatorHandlerOptions options) {
      name = options.name;
      priority = options.priority;
      tags = options.tags;
    }

    /** Its name in errors and for filters. Default: its class and message type. */
    public Builder name(@Nullable String value) {
      name = value;
      return this;
    }

    /** Its priority: the handlers of a stage run from low to high. Default: 0. */
    public Builder priority(int value) {
      priority = value;
      return this;
    }

    /** The tags of which a call must have one for this handler to run. Default: none, always. */
    public Builder tags(String... values) {
      tags = Set.copyOf(List.of(values));
      return this;
    }

    /** The options. */
    public MediatorHandlerOptions build() {
      return new MediatorHandlerOptions(this);
    }
  }
}
