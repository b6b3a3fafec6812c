package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreWritesTest {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final SteppedTime time = new SteppedTime();
  private final StoreWrites writes = new StoreWrites(time);

  @Test
  void a_write_that_succeeds_ends_the_failure() {
    writes.failed(new IllegalStateException("no room"));
    assertThat(writes.isHealthy(() -> false)).isFalse();

    time.step(PAUSE);
    writes.succeeded();

    assertThat(writes.isHealthy(() -> false)).isTrue();
  }

  @Test
  void a_trial_ends_it_where_no_requests_come_any_more() {
    writes.failed(new IllegalStateException("no room"));

    time.step(PAUSE);
    assertThat(writes.isHealthy(() -> false)).isFalse();
    time.step(PAUSE);
    assertThat(writes.isHealthy(() -> true)).isTrue();
  }

  @Test
  void writes_that_succeed_between_others_that_fail_are_no_change() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 100; i++) {
        writes.failed(new IllegalStateException("no room"));
        writes.succeeded();
        assertThat(writes.isHealthy(() -> true)).isFalse();
        time.step(Duration.ofSeconds(1));
      }
      assertThat(log.with("does not take writes")).hasSize(1);
    }
  }
}
