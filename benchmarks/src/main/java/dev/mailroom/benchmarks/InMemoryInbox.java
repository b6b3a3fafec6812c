package dev.mailroom.benchmarks;

import dev.mailroom.Inbox;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Mailroom over its in-memory store: messages are written, leased, handled by handlers that do
 * nothing, and settled.
 */
final class InMemoryInbox implements Contender {
  /** How far the writers may run ahead of the handlers. */
  private static final int BACKLOG = 20_000;

  private final Setup setup;

  InMemoryInbox(Setup setup) {
    this.setup = setup;
  }

  /**
   * What to measure.
   *
   * @param name its name in the table
   * @param batched whether handlers get batches
   * @param writers threads that write
   * @param writeBatch how many messages one write carries
   * @param concurrency handlers at once
   * @param groups number of groups; 0 means unordered
   */
  record Setup(
      String name, boolean batched, int writers, int writeBatch, int concurrency, int groups) {}

  @Override
  public String name() {
    return setup.name();
  }

  @Override
  public void run(int messages) throws Exception {
    AtomicInteger handled = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(1);
    try (Mailroom mailroom = mailroom(messages, handled, all)) {
      mailroom.start();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < setup.writers(); i++) {
        int share = Shares.of(messages, setup.writers(), i);
        Thread writer = new Thread(() -> write(mailroom.inbox("bench"), share, pace(handled)));
        writers.add(writer);
        writer.start();
      }
      for (Thread writer : writers) {
        writer.join();
      }
      all.await();
    }
  }

  /** Writes everything first, then drains it; answers the nanoseconds that draining took. */
  long drain(int messages) throws Exception {
    AtomicInteger handled = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(1);
    try (Mailroom mailroom = mailroom(messages, handled, all)) {
      write(mailroom.inbox("bench"), messages, written -> {});
      System.gc();
      long began = System.nanoTime();
      mailroom.start();
      all.await();
      return System.nanoTime() - began;
    }
  }

  private Mailroom mailroom(int messages, AtomicInteger handled, CountDownLatch all) {
    Runnable one = () -> count(1, messages, handled, all);
    return Mailroom.builder()
        .store(MemoryStore.builder().capacity(messages + 10_000).build())
        .contract(byte[].class, "bench.payload", 1)
        .inbox(
            "bench",
            inbox -> {
              inbox.options(options());
              if (setup.batched()) {
                inbox.batchHandler(
                    byte[].class,
                    batch -> {
                      count(batch.size(), messages, handled, all);
                      return batch.allSucceeded();
                    });
              } else {
                inbox.handler(
                    byte[].class,
                    delivery -> {
                      one.run();
                      return Result.success();
                    });
              }
            })
        .build();
  }

  private InboxOptions options() {
    return InboxOptions.builder()
        .ordering(setup.groups() == 0 ? Ordering.NONE : Ordering.REQUIRED)
        .concurrency(setup.concurrency())
        .readBatch(500)
        .build();
  }

  private static void count(int more, int messages, AtomicInteger handled, CountDownLatch all) {
    if (handled.addAndGet(more) == messages) {
      all.countDown();
    }
  }

  /** Keeps a writer from running too far ahead of the handlers. */
  private IntConsumer pace(AtomicInteger handled) {
    return written -> {
      while (written * setup.writers() - handled.get() > BACKLOG) {
        LockSupport.parkNanos(20_000);
      }
    };
  }

  private void write(Inbox inbox, int share, IntConsumer pace) {
    byte[] payload = new byte[200];
    List<Object> batch = new ArrayList<>(setup.writeBatch());
    for (int n = 0; n < share; ) {
      batch.clear();
      for (int i = 0; i < setup.writeBatch() && n < share; i++, n++) {
        batch.add(setup.groups() == 0 ? payload : new Outgoing(payload, group(n)));
      }
      inbox.writeAll(batch);
      pace.accept(n);
    }
  }

  private WriteOptions group(int number) {
    return WriteOptions.builder().groupKey("g" + number % setup.groups()).build();
  }
}
