package dev.mailroom;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one handler; what is not set here is as in the inbox's options. Immutable and
 * thread-safe, so that one object can serve many handlers.
 */
public final class HandlerOptions {
  private static final HandlerOptions DEFAULTS = new HandlerOptions(new Builder());

  private final @Nullable String name;
  private final @Nullable RetryPolicy retry;
  private final List<Consumer<RetryPolicy.Builder>> changes;
  private final @Nullable Duration timeout;

  private HandlerOptions(Builder builder) {
    name = Limits.key("handler name", builder.name);
    retry = builder.retry;
    changes = List.copyOf(builder.changes);
    timeout = builder.timeout;
    Violations violations = new Violations("HandlerOptions");
    violations.positiveOrNull("timeout", timeout);
    violations.raise();
    retry(RetryPolicy.defaults()); // a wrong value is refused now, not when the mailroom is built
  }

  /** No option is set. */
  public static HandlerOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code HandlerOptions.of(options -> options.attempts(3))}. */
  public static HandlerOptions of(Consumer<Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The handler's name in telemetry and errors, or null if it was not set. */
  public @Nullable String name() {
    return name;
  }

  /**
   * The handler's retry policy.
   *
   * @param inherited the inbox's policy, for everything that is not set here
   */
  public RetryPolicy retry(RetryPolicy inherited) {
    RetryPolicy policy = retry == null ? inherited : retry;
    for (Consumer<RetryPolicy.Builder> change : changes) {
      policy = policy.with(change);
    }
    return policy;
  }

  /** How long one call may take, or null if it is as in the inbox's options. */
  public @Nullable Duration timeout() {
    return timeout;
  }

  /** Sets options of one handler. Not thread-safe. */
  public static final class Builder {
    private @Nullable String name;
    private @Nullable RetryPolicy retry;
    private final List<Consumer<RetryPolicy.Builder>> changes = new ArrayList<>();
    private @Nullable Duration timeout;

    private Builder() {}

    private Builder(HandlerOptions options) {
      name = options.name;
      retry = options.retry;
      changes.addAll(options.changes);
      timeout = options.timeout;
    }

    /**
     * The handler's name in telemetry and errors. Default: the name of its class, or the contract's
     * for a lambda.
     */
    public Builder name(@Nullable String value) {
      name = value;
      return this;
    }

    /**
     * A retry policy instead of the inbox's. {@link #attempts} and other changes apply to it,
     * whether they are set before or after. Default: the inbox's.
     */
    public Builder retry(@Nullable RetryPolicy value) {
      retry = value;
      return this;
    }

    /** Changes to the inbox's retry policy: {@code retry(retry -> retry.deferrals(3))}. */
    public Builder retry(Consumer<RetryPolicy.Builder> settings) {
      changes.add(settings);
      return this;
    }

    /** How often the handler is called for a message in all. Default: the inbox's. */
    public Builder attempts(int value) {
      return retry(policy -> policy.attempts(value));
    }

    /** How long a message waits between two attempts. Default: the inbox's. */
    public Builder backoff(Backoff value) {
      return retry(policy -> policy.backoff(value));
    }

    /** Adds an error after which a retry is pointless, subclasses included. */
    public Builder permanent(Class<? extends Throwable> error) {
      return retry(policy -> policy.permanent(error));
    }

    /**
     * How long one call may take before it is interrupted and counts as failed. Default: the
     * inbox's.
     */
    public Builder timeout(@Nullable Duration value) {
      timeout = value;
      return this;
    }

    /**
     * The options.
     *
     * @throws InvalidOptionsException naming every violation
     */
    public HandlerOptions build() {
      return new HandlerOptions(this);
    }
  }
}
