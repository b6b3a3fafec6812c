package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does something that might never end: a library that hangs must not hang the comparison. */
final class Watched {
  private Watched() {}

  /**
   * Does it in a thread of its own. Interrupts and forgets it when that takes too long.
   *
   * @throws ExecutionException what it has thrown
   */
  static <T> T call(Callable<T> work, Duration patience)
      throws InterruptedException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "watched");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BrokenPromiseException("it did not end within " + patience);
    } finally {
      task.cancel(true);
    }
  }
}
