package dev.mailroom.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of a day show by their end that they were cut short. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SignalTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Signal signal = new Signal();

  @Test
  void raised_while_no_thread_waits_it_is_kept_for_the_next_wait() {
    signal.raise();

    signal.await(DAY);
  }

  @Test
  void raised_twice_it_counts_once() throws InterruptedException {
    signal.raise();
    signal.raise();
    signal.await(DAY);
    CountDownLatch woken = new CountDownLatch(1);
    Thread waiter = waiter(woken);
    awaitParked(waiter);
    assertThat(woken.getCount()).isEqualTo(1);

    signal.raise();

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
    waiter.join();
  }

  @Test
  void a_wait_comes_to_its_end_by_itself() {
    signal.await(Duration.ofMillis(1));
    signal.await(Duration.ZERO);
    signal.await(Duration.ofSeconds(-1));
  }

  @Test
  void a_wait_longer_than_the_clock_can_count_is_a_wait_for_ever() throws InterruptedException {
    CountDownLatch woken = new CountDownLatch(1);
    Thread waiter =
        new Thread(
            () -> {
              signal.await(Duration.ofSeconds(Long.MAX_VALUE));
              woken.countDown();
            });
    waiter.start();
    awaitParked(waiter);

    signal.raise();

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void an_interrupt_ends_the_wait() throws InterruptedException {
    CountDownLatch woken = new CountDownLatch(1);
    Thread waiter = waiter(woken);
    awaitParked(waiter);

    waiter.interrupt();

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private Thread waiter(CountDownLatch woken) {
    Thread waiter =
        new Thread(
            () -> {
              signal.await(DAY);
              woken.countDown();
            });
    waiter.start();
    return waiter;
  }

  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }
}
