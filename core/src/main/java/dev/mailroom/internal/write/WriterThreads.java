package dev.mailroom.internal.write;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that append what callers have left behind: their own, since those of the callers may all
 * be waiting for these. They are started when there is something to do, and end soon after.
 */
final class WriterThreads implements Executor {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ThreadPoolExecutor threads;

  /**
   * None yet.
   *
   * @param most how many there may be at once
   */
  WriterThreads(int most) {
    this.threads =
        new ThreadPoolExecutor(
            most,
            most,
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

  /** Whether this is a thread of theirs, which others wait for, of this inbox or another one. */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof Writer;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }
}
