package dev.mailroom.server.targets;

import dev.mailroom.Result;
import dev.mailroom.messages.Message;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A target with a limit of calls at once and a breaker. A message that must not be delivered now is
 * deferred without counting an attempt, so that the worker can serve other targets.
 */
final class GuardedTarget implements DeliveryTarget {
  private final String name;
  private final DeliveryTarget target;
  private final CallLimit limit;
  private final CircuitBreaker breaker;
  private final LongAdder deferredByLimit = new LongAdder();
  private final LongAdder deferredByBreaker = new LongAdder();

  GuardedTarget(
      String name,
      DeliveryTarget target,
      int concurrency,
      CircuitBreaker.Options breaker,
      TimeSource time) {
    this.name = name;
    this.target = target;
    this.limit = new CallLimit(concurrency, time);
    this.breaker = new CircuitBreaker(name, breaker, time);
  }

  @Override
  public DeliveryResult deliver(Message message, int attempt) throws Exception {
    CircuitBreaker.Admission admission = breaker.enter();
    if (admission instanceof CircuitBreaker.Rejected rejected) {
      deferredByBreaker.increment();
      return deferred(rejected.delay(), rejected.reason());
    }
    CircuitBreaker.Pass pass = (CircuitBreaker.Pass) admission;
    DeliveryResult answer = null;
    try {
      answer = withinLimit(message, attempt);
    } finally {
      if (answer == null || !answer.called()) {
        breaker.withdrawn(pass);
      } else if (answer.available()) {
        breaker.succeeded();
      } else {
        breaker.failed(pass, message.id(), answer.reason(), answer.retryAfter());
      }
    }
    return answer;
  }

  private DeliveryResult withinLimit(Message message, int attempt) throws Exception {
    CallLimit.Admission admission = limit.begin();
    if (admission instanceof CallLimit.Rejected rejected) {
      deferredByLimit.increment();
      return deferred(
          rejected.delay(),
          "Target '%s' has %d calls under way, and no more are made at once."
              .formatted(name, limit.limit()));
    }
    try {
      return target.deliver(message, attempt);
    } finally {
      limit.end((CallLimit.Call) admission);
    }
  }

  private static DeliveryResult deferred(Duration delay, String reason) {
    return DeliveryResult.notCalled(Result.retryLater(delay, reason));
  }

  int concurrency() {
    return limit.limit();
  }

  int callsUnderWay() {
    return limit.underWay();
  }

  CircuitBreaker.Status breaker() {
    return breaker.status();
  }

  long deferredByLimit() {
    return deferredByLimit.sum();
  }

  long deferredByBreaker() {
    return deferredByBreaker.sum();
  }

  @Override
  public @Nullable String disabledReason() {
    return target.disabledReason();
  }

  @Override
  public void enable() {
    target.enable();
    breaker.reset();
  }

  @Override
  public void close() {
    target.close();
  }
}
