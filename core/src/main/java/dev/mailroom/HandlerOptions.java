package dev.mailroom;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one handler.
 *
 * @param name its name in telemetry and errors; null means the class's name, or the contract's for
 *     a lambda
 * @param retry its retry policy; null means the inbox's
 * @param timeout how long one call may take before it is interrupted and counts as failed; null
 *     means the inbox's
 */
public record HandlerOptions(
    @Nullable String name, @Nullable RetryPolicy retry, @Nullable Duration timeout) {

  /** Everything as the inbox says. */
  public static final HandlerOptions DEFAULT = new HandlerOptions(null, null, null);

  /** Checks the name and the timeout. */
  public HandlerOptions {
    name = Limits.key("handler name", name);
    Violations violations = new Violations("HandlerOptions");
    violations.positiveOrNull("timeout", timeout);
    violations.raise();
  }

  /** With this name. */
  public HandlerOptions withName(String other) {
    return new HandlerOptions(other, retry, timeout);
  }

  /** With a retry policy of its own. */
  public HandlerOptions withRetry(RetryPolicy other) {
    return new HandlerOptions(name, other, timeout);
  }

  /** With a timeout of its own. */
  public HandlerOptions withTimeout(Duration other) {
    return new HandlerOptions(name, retry, other);
  }
}
