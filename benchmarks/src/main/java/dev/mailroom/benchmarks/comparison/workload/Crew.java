package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Threads that do the same thing again and again until they are told to end. */
final class Crew implements AutoCloseable {
  private final int size;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ended;

  Crew(int size) {
    this.size = size;
  }

  /** What they do; the first failure ends all. */
  interface Work {
    void run() throws Exception;
  }

  /** What they do as long as there is something to do. */
  interface Task {
    /** Answers whether there was something. */
    boolean run() throws Exception;
  }

  void repeat(Work work) {
    repeatWhile(
        () -> {
          work.run();
          return true;
        });
  }

  void repeatWhile(Task task) {
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> loop(task), "crew-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void loop(Task task) {
    try {
      boolean more = true;
      while (more && !ended && failure.get() == null) {
        more = task.run();
      }
    } catch (Exception | AssertionError | LinkageError e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Lets them work for that long. Fails if one of them has. */
  void work(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
    check();
  }

  /** The same, and then until that is true. */
  void work(Duration time, BooleanSupplier enough) throws InterruptedException {
    work(time);
    while (!enough.getAsBoolean()) {
      work(Duration.ofMillis(1));
    }
  }

  /** Lets each end what it is doing, and waits for that. Fails if one of them has. */
  void end() throws InterruptedException {
    ended = true;
    join();
  }

  /** Waits until there is nothing to do. Fails if one of them has. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    check();
  }

  private void check() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new CompletionException(thrown);
    }
  }

  /** Interrupts whoever still works. */
  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
