package dev.mailroom.benchmarks.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that write one message after the other until all are written. */
final class Writers {
  private Writers() {}

  /** Writes the message with this number. */
  interface Write {
    void write(int number) throws Exception;
  }

  static void run(int threads, int messages, Write write) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        writers.add(
            executor.submit(
                () -> {
                  for (int number = next.getAndIncrement();
                      number < messages;
                      number = next.getAndIncrement()) {
                    write.write(number);
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
