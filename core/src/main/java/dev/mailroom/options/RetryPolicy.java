package dev.mailroom.options;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What becomes of a message whose handler fails. Immutable and thread-safe.
 *
 * @param attempts how often a handler is called for a message in all, at least 1
 * @param backoff how long a message waits between two attempts
 * @param deferrals how often its handler may ask for a later time, at least 0; after that the
 *     message is dead-lettered
 * @param permanent errors after which a retry is pointless, subclasses included: dead-lettered at
 *     once
 */
public record RetryPolicy(
    int attempts, Backoff backoff, int deferrals, List<Class<? extends Throwable>> permanent) {

  private static final RetryPolicy DEFAULTS = new Builder().build();

  /** Checks the counts and reports every violation at once. */
  public RetryPolicy {
    Objects.requireNonNull(backoff, "backoff");
    permanent = List.copyOf(permanent);
    Violations violations = new Violations("RetryPolicy");
    violations.positive("attempts", attempts);
    violations.check(deferrals >= 0, "deferrals", deferrals, "must not be negative");
    violations.raise();
  }

  /** Five attempts, five seconds doubling up to five minutes, 100 deferrals. */
  public static RetryPolicy defaults() {
    return DEFAULTS;
  }

  /** A builder that starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A policy for reuse: {@code RetryPolicy.of(retry -> retry.attempts(3))}. */
  public static RetryPolicy of(Consumer<Builder> settings) {
    return defaults().with(settings);
  }

  /** A builder that starts with this policy. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** This policy with some settings changed. */
  public RetryPolicy with(Consumer<Builder> settings) {
    Builder builder = toBuilder();
    settings.accept(builder);
    return builder.build();
  }

  /** Whether a retry is pointless after this error. */
  public boolean isPermanent(Throwable error) {
    for (Class<? extends Throwable> type : permanent) {
      if (type.isInstance(error)) {
        return true;
      }
    }
    return false;
  }

  /** Sets a retry policy. Not thread-safe. */
  public static final class Builder {
    private int attempts = Defaults.ATTEMPTS;
    private Backoff backoff = Defaults.RETRY_BACKOFF;
    private int deferrals = Defaults.DEFERRALS;
    private final List<Class<? extends Throwable>> permanent = new ArrayList<>();

    private Builder() {}

    private Builder(RetryPolicy policy) {
      attempts = policy.attempts;
      backoff = policy.backoff;
      deferrals = policy.deferrals;
      permanent.addAll(policy.permanent);
    }

    /**
     * How often a handler is called for a message in all; 1 means that the first failure is the
     * last. Default: 5.
     */
    public Builder attempts(int value) {
      attempts = value;
      return this;
    }

    /** How long a message waits between two attempts. Default: 5 s doubling up to 5 min, ±20 %. */
    public Builder backoff(Backoff value) {
      backoff = value;
      return this;
    }

    /** How often a handler may ask for a later time. Default: 100. */
    public Builder deferrals(int value) {
      deferrals = value;
      return this;
    }

    /** Adds an error after which a retry is pointless, subclasses included. Default: none. */
    public Builder permanent(Class<? extends Throwable> error) {
      permanent.add(error);
      return this;
    }

    /**
     * The policy.
     *
     * @throws InvalidOptionsException naming every violation
     */
    public RetryPolicy build() {
      return new RetryPolicy(attempts, backoff, deferrals, permanent);
    }
  }
}
