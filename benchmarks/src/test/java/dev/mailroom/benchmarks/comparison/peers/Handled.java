package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The numbers that were handled, in that order. */
final class Handled implements Ledger {
  private final List<Long> numbers = new ArrayList<>();
  private final CountDownLatch expected;

  Handled(int expected) {
    this.expected = new CountDownLatch(expected);
  }

  @Override
  public synchronized void handled(long number) {
    numbers.add(number);
    expected.countDown();
  }

  void await() throws InterruptedException {
    expected.await();
  }

  synchronized List<Long> numbers() {
    return List.copyOf(numbers);
  }
}
