package dev.mailroom.http;

import dev.mailroom.Result;
import java.time.Duration;

/**
 * What came of posting one event.
 *
 * @param result what becomes of the event
 * @param available whether the endpoint is at work: false if it was not reached, took too long, or
 *     answered 408, 425, 429 or 5xx; true for every other answer, a rejection too, and if nothing
 *     was sent
 * @param retryAfter for how long the endpoint wants no further request; zero if it did not say
 */
public record PostResult(Result result, boolean available, Duration retryAfter) {

  static PostResult available(Result result) {
    return new PostResult(result, true, Duration.ZERO);
  }

  static PostResult unavailable(Result result) {
    return new PostResult(result, false, Duration.ZERO);
  }
}
