package dev.mailroom.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Patience;
import dev.mailroom.server.targets.CallLimit.ApiRequest;
import dev.mailroom.server.targets.CallLimit.TurnedAway;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallLimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final CallLimit limit = new CallLimit(2, time);

  private ApiRequest begin() throws InterruptedException {
    return (ApiRequest) limit.begin();
  }

  private Duration turnedAway() throws InterruptedException {
    return ((TurnedAway) limit.begin()).delay();
  }

  @Test
  void no_more_calls_than_allowed_are_under_way() throws InterruptedException {
    ApiRequest first = begin();
    begin();
    time.advance(SECOND);

    turnedAway();
    assertThat(limit.underWay()).isEqualTo(2);
    limit.end(first);

    assertThat(limit.begin()).isInstanceOf(ApiRequest.class);
  }

  @Test
  void while_calls_hang_nobody_waits_and_what_is_turned_away_comes_again_one_after_another()
      throws InterruptedException {
    begin();
    begin();
    time.advance(SECOND.multipliedBy(20));

    assertThat(turnedAway()).isEqualTo(Duration.ofMillis(100));
    assertThat(turnedAway()).isEqualTo(Duration.ofMillis(200));
    for (int i = 0; i < 10_000; i++) {
      turnedAway();
    }
    assertThat(turnedAway()).isEqualTo(RetrySpacing.LONGEST);
  }

  @Test
  void a_caller_waits_for_a_call_that_will_soon_end() throws Exception {
    ApiRequest first = begin();
    begin();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 100; i++) {
        ApiRequest ending = first;
        Future<CallLimit.Entry> next = executor.submit(limit::begin);
        limit.end(ending);
        CallLimit.Entry entry = next.get(1, TimeUnit.MINUTES);
        // On a host that stands still for longer than the patience it may be turned away.
        first = entry instanceof ApiRequest call ? call : begin();
      }
    } finally {
      executor.shutdownNow();
    }
    Patience.until("both are counted", () -> limit.underWay() == 2);
  }
}
