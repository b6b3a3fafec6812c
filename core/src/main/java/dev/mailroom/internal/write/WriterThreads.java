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
            WriterThreads::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "mailroom-writer-" + NUMBER.getAndIncrement());
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }
}
