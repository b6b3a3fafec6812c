package dev.mailroom.mediator.internal;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Event handlers of equal priority that run at the same time. The publisher's thread takes the
 * first of them and returns when all are done; an interrupt of it is passed on to them.
 */
final class ParallelGroup {
  private ParallelGroup() {}

  static void run(EventRun run, List<RegisteredHandler> handlers, Executor executor) {
    CountDownLatch done = new CountDownLatch(handlers.size() - 1);
    List<Task> tasks =
        handlers.stream().skip(1).map(handler -> new Task(run, handler, done)).toList();
    for (Task task : tasks) {
      try {
        executor.execute(task);
      } catch (RejectedExecutionException | OutOfMemoryError noThread) {
        task.run();
      }
    }
    run.callUnlessEnded(handlers.get(0));
    await(done, tasks);
  }

  /** No handler may be left running: it would outlive its context and the publisher's call. */
  private static void await(CountDownLatch done, List<Task> tasks) {
    boolean interrupted = false;
    while (true) {
      try {
        done.await();
        break;
      } catch (InterruptedException interrupt) {
        interrupted = true;
        tasks.forEach(Task::interrupt);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** One handler on another thread. */
  private static final class Task implements Runnable {
    private final EventRun run;
    private final RegisteredHandler handler;
    private final CountDownLatch done;
    private @Nullable Thread thread;

    Task(EventRun run, RegisteredHandler handler, CountDownLatch done) {
      this.run = run;
      this.handler = handler;
      this.done = done;
    }

    @Override
    public void run() {
      runs(Thread.currentThread());
      try {
        run.callUnlessEnded(handler);
      } finally {
        runs(null);
        done.countDown();
      }
    }

    private synchronized void runs(@Nullable Thread current) {
      thread = current;
    }

    /** Under the same lock as the end of the run, so that it never hits what runs there next. */
    synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }
  }
}
