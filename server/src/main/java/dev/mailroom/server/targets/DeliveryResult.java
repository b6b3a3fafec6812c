package dev.mailroom.server.targets;

import dev.mailroom.Result;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;

/**
 * What a target made of a message.
 *
 * @param result what becomes of the message
 * @param available whether the target is at work, whatever it thinks of this message; several calls
 *     in a row to which it is not open its {@linkplain CircuitBreaker breaker}
 * @param called whether the target was called; if not, nothing is known of it
 * @param retryAfter for how long the target wants no further call; zero if it did not say
 */
public record DeliveryResult(
    Result result, boolean available, boolean called, Duration retryAfter) {

  static DeliveryResult available(Result result) {
    return new DeliveryResult(result, true, true, Duration.ZERO);
  }

  static DeliveryResult notCalled(Result result) {
    return new DeliveryResult(result, true, false, Duration.ZERO);
  }

  static DeliveryResult unavailable(Result result) {
    return new DeliveryResult(result, false, true, Duration.ZERO);
  }

  /** The reason of a failure, for people. */
  String reason() {
    return result.outcome() instanceof HandlerOutcome.Failed failed
        ? failed.reason()
        : result.toString();
  }
}
