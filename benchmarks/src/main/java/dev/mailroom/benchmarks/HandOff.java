package dev.mailroom.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The floor: payloads handed from writers to consumers through a queue, and nothing else. */
final class HandOff implements Contender {
  private static final byte[] END = new byte[0];

  private final int writers;
  private final int consumers;

  HandOff(int writers, int consumers) {
    this.writers = writers;
    this.consumers = consumers;
  }

  @Override
  public String name() {
    return "ArrayBlockingQueue hand-off";
  }

  @Override
  public void run(int messages) throws Exception {
    BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(1_024);
    CountDownLatch handled = new CountDownLatch(consumers);
    AtomicInteger count = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < consumers; i++) {
      threads.add(new Thread(() -> consume(queue, count, handled)));
    }
    byte[] payload = new byte[200];
    for (int i = 0; i < writers; i++) {
      int share = Shares.of(messages, writers, i);
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < share; n++) {
                  put(queue, payload);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (int i = consumers; i < threads.size(); i++) {
      threads.get(i).join();
    }
    for (int i = 0; i < consumers; i++) {
      put(queue, END);
    }
    handled.await();
    if (count.get() != messages) {
      throw new IllegalStateException("Handled " + count.get() + " of " + messages);
    }
  }

  private static void consume(
      BlockingQueue<byte[]> queue, AtomicInteger count, CountDownLatch handled) {
    int own = 0;
    try {
      while (queue.take() != END) {
        own++;
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
    count.addAndGet(own);
    handled.countDown();
  }

  private static void put(BlockingQueue<byte[]> queue, byte[] payload) {
    try {
      queue.put(payload);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
