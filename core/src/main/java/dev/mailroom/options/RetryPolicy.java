package dev.mailroom.options;

import dev.mailroom.errors.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What becomes of a message whose handler fails.
 *
 * @param attempts how often it is tried in all, at least 1
 * @param backoff how long it waits between two tries
 * @param deferrals how often its handler may ask for a later time, at least 0; after that it is
 *     dead
 * @param permanent errors after which trying again is pointless, subclasses included: dead at once
 */
public record RetryPolicy(
    int attempts, Backoff backoff, int deferrals, List<Class<? extends Throwable>> permanent) {

  /** Five attempts, five seconds doubling up to five minutes, 100 deferrals. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Defaults.ATTEMPTS, Defaults.RETRY_BACKOFF, Defaults.DEFERRALS, List.of());

  /** Tried once: the first failure is the last. */
  public static final RetryPolicy NONE = DEFAULT.withAttempts(1);

  /** Checks the counts and reports every violation at once. */
  public RetryPolicy {
    Objects.requireNonNull(backoff, "backoff");
    permanent = List.copyOf(permanent);
    Violations violations = new Violations("RetryPolicy");
    violations.positive("attempts", attempts);
    violations.check(deferrals >= 0, "deferrals", deferrals, "must not be negative");
    violations.raise();
  }

  /** The same with another number of attempts. */
  public RetryPolicy withAttempts(int other) {
    return new RetryPolicy(other, backoff, deferrals, permanent);
  }

  /** The same with another back-off. */
  public RetryPolicy withBackoff(Backoff other) {
    return new RetryPolicy(attempts, other, deferrals, permanent);
  }

  /** The same with another number of deferrals. */
  public RetryPolicy withDeferrals(int other) {
    return new RetryPolicy(attempts, backoff, other, permanent);
  }

  /** The same with one more error after which trying again is pointless. */
  public RetryPolicy withPermanent(Class<? extends Throwable> error) {
    List<Class<? extends Throwable>> more = new ArrayList<>(permanent);
    more.add(error);
    return new RetryPolicy(attempts, backoff, deferrals, more);
  }

  /** Whether trying again is pointless after this error. */
  public boolean isPermanent(Throwable error) {
    for (Class<? extends Throwable> type : permanent) {
      if (type.isInstance(error)) {
        return true;
      }
    }
    return false;
  }
}
