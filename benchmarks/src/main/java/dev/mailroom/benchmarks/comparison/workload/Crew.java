package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
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

  void repeat(Work work) {
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> loop(work), "crew-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void loop(Work work) {
    try {
      while (!ended && failure.get() == null) {
        work.run();
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(null, e); // told to end while it was waiting
    } catch (Exception | AssertionError | LinkageError e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Lets them work for that long. Fails if one of them has. */
  void work(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
    check();
  }

  /** Fails if one of them has failed. */
  void check() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new CompletionException(thrown);
    }
  }

  /** Lets each end what it is doing, and waits for that. Fails if one of them has. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    check();
  }

  /** Interrupts whoever still works. */
  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
