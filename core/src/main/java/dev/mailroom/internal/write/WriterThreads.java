package dev.mailroom.internal.write;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for asynchronous writes, separate from those of callers, which may all be blocked on
 * them. They are started on demand and end after a short idle time.
 */
final class WriterThreads implements Executor {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ThreadPoolExecutor threads;

  /**
   * Starts no thread yet.
   *
   * @param max the most threads at once
   */
  WriterThreads(int max) {
    this.threads =
        new ThreadPoolExecutor(
            max,
            max,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Writer::new);
    threads.allowCoreThreadTimeOut(true);
  }

  private static final class Writer extends Thread {
    private Writer(Runnable task) {
      super(task, "mailroom-writer-" + NUMBER.getAndIncrement());
      setDaemon(true);
    }
  }

  /** Whether the current thread is a writer thread, of this inbox or another one. */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof Writer;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }
}
