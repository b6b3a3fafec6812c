package dev.mailroom.benchmarks.comparison.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class WatchedTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void answersWithWhatWasFound() throws Exception {
    assertThat(Watched.call(() -> 42, LONG)).isEqualTo(42);
  }

  @Test
  void throwsWhatWasThrown() {
    assertThatThrownBy(
            () ->
                Watched.call(
                    () -> {
                      throw new IllegalStateException("broken");
                    },
                    LONG))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("broken");
  }

  @Test
  void interruptsWhatDoesNotEnd() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                Watched.call(
                    () -> {
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        interrupted.countDown();
                      }
                      return 0;
                    },
                    Duration.ofMillis(10)))
        .isInstanceOf(BrokenPromiseException.class)
        .hasMessageContaining("did not end");
    interrupted.await();
  }
}
