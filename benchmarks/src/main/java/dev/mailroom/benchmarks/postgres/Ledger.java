package dev.mailroom.benchmarks.postgres;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Notes which messages were handled; what every contender's handler does, and all that it does. */
final class Ledger {
  private final AtomicIntegerArray times;
  private final AtomicInteger handled = new AtomicInteger();
  private final CountDownLatch all = new CountDownLatch(1);

  Ledger(int messages) {
    this.times = new AtomicIntegerArray(messages);
  }

  void handle(Order order) {
    times.getAndIncrement(order.index());
    if (handled.incrementAndGet() == times.length()) {
      all.countDown();
    }
  }

  void awaitAll() throws InterruptedException {
    all.await();
  }

  int handled() {
    return handled.get();
  }

  /** Waits until so many were handled, where that is not all. */
  void awaitHandled(int messages) throws InterruptedException {
    while (handled.get() < messages) {
      Thread.sleep(1);
    }
  }

  /** Fails unless every message was handled once. */
  void check() {
    checkFirst(times.length());
  }

  /** Fails unless every message up to that number was handled once. */
  void checkFirst(int messages) {
    for (int i = 0; i < messages; i++) {
      if (times.get(i) != 1) {
        throw new IllegalStateException("Message " + i + " was handled " + times.get(i) + " times");
      }
    }
  }
}
