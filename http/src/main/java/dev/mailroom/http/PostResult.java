package dev.mailroom.http;

import dev.mailroom.Result;
import java.time.Duration;

/**
 * What came of posting one event.
 *
 * @param result what becomes of the event
 * @param available whether the endpoint is at work: false if it was not reached, took too long, or
 *     answered 408, 425, 429 or 5xx; true for every other answer, a rejection too
 * @param sent whether a request was sent; if not, nothing is known of the endpoint
 * @param retryAfter for how long the endpoint wants no further request; zero if it did not say
 */
public record PostResult(Result result, boolean available, boolean sent, Duration retryAfter) {

  static PostResult notSent(Result result) {
    return new PostResult(result, true, false, Duration.ZERO);
  }

  static PostResult available(Result result) {
    return new PostResult(result, true, true, Duration.ZERO);
  }

  static PostResult unavailable(Result result) {
    return new PostResult(result, false, true, Duration.ZERO);
  }
}
