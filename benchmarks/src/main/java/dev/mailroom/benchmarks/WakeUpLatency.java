package dev.mailroom.benchmarks;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The time from the return of a write to the start of its handler, on an idle engine. */
final class WakeUpLatency {
  private static final int WARM_UP = 20_000;
  private static final int SAMPLES = 20_000;

  void run() throws Exception {
    System.out.printf("%nLatency: write returned to handler started, idle engine%n");
    long[] handOff = handOff();
    long[] mailroom = mailroom();
    print("SynchronousQueue hand-off", handOff);
    print("single handler", mailroom);
  }

  private static long[] mailroom() throws Exception {
    AtomicLong started = new AtomicLong();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .contract(byte[].class, "bench.payload", 1)
            .inbox(
                "bench",
                inbox ->
                    inbox.handler(
                        byte[].class,
                        delivery -> {
                          started.set(System.nanoTime());
                          return Result.success();
                        }))
            .build()) {
      mailroom.start();
      Inbox inbox = mailroom.inbox("bench");
      byte[] payload = new byte[200];
      return sample(started, () -> inbox.write(payload));
    }
  }

  private static long[] handOff() throws Exception {
    AtomicLong started = new AtomicLong();
    SynchronousQueue<Object> queue = new SynchronousQueue<>();
    Thread consumer =
        new Thread(
            () -> {
              try {
                while (true) {
                  queue.take();
                  started.set(System.nanoTime());
                }
              } catch (InterruptedException end) {
                // the measurement is over
              }
            });
    consumer.start();
    try {
      return sample(started, () -> put(queue));
    } finally {
      consumer.interrupt();
      consumer.join();
    }
  }

  private static void put(SynchronousQueue<Object> queue) {
    try {
      queue.put("go");
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static long[] sample(AtomicLong started, Runnable write) {
    long[] nanos = new long[SAMPLES];
    for (int i = -WARM_UP; i < SAMPLES; i++) {
      started.set(0);
      write.run();
      long returned = System.nanoTime();
      long began = started.get();
      while (began == 0) {
        Thread.onSpinWait();
        began = started.get();
      }
      if (i >= 0) {
        nanos[i] = Math.max(0, began - returned);
      }
      LockSupport.parkNanos(50_000); // let everything fall idle again
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static void print(String name, long[] sorted) {
    System.out.printf(
        Locale.ROOT,
        "  %-34s p50 %6.1f µs   p90 %6.1f µs   p99 %6.1f µs%n",
        name,
        sorted[sorted.length / 2] / 1e3,
        sorted[sorted.length * 9 / 10] / 1e3,
        sorted[sorted.length * 99 / 100] / 1e3);
  }
}
