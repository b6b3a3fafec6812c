package dev.mailroom.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.targets.CallLimit.Call;
import dev.mailroom.server.targets.CallLimit.Rejected;
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

  private Call begin() throws InterruptedException {
    return (Call) limit.begin();
  }

  private Duration turnedAway() throws InterruptedException {
    return ((Rejected) limit.begin()).delay();
  }

  @Test
  void no_more_calls_than_allowed_are_under_way() throws InterruptedException {
    Call first = begin();
    begin();
    time.advance(SECOND);

    turnedAway();
    assertThat(limit.underWay()).isEqualTo(2);
    limit.end(first);

    assertThat(limit.begin()).isInstanceOf(Call.class);
  }

  @Test
  void while_calls_hang_no_caller_waits_and_rejected_messages_are_spaced_out()
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
    Call first = begin();
    begin();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 100; i++) {
        Call ending = first;
        Future<CallLimit.Admission> next = executor.submit(limit::begin);
        limit.end(ending);
        CallLimit.Admission admission = next.get(1, TimeUnit.MINUTES);
        // On a host that stalls for longer than the maximum wait the call may be rejected.
        first = admission instanceof Call call ? call : begin();
      }
    } finally {
      executor.shutdownNow();
    }
    Await.until("both are counted", () -> limit.underWay() == 2);
  }
}
