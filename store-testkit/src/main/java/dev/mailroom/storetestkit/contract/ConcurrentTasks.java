package dev.mailroom.storetestkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs tasks concurrently, each on its own thread, started by a barrier. */
final class ConcurrentTasks {
  /** The number of concurrent tasks. */
  static final int THREADS = 8;

  /** The timeout for all tasks; only a test that hangs gets near it. */
  private static final long PATIENCE_SECONDS = 60;

  private ConcurrentTasks() {}

  /**
   * Runs {@link #THREADS} tasks, each created from its number; returns the results in that order.
   */
  static <T> List<T> run(IntFunction<Callable<T>> tasks) throws Exception {
    return run(IntStream.range(0, THREADS).mapToObj(tasks).toList());
  }

  /** Runs the tasks; returns the results in the order of the tasks. */
  static <T> List<T> run(List<? extends Callable<? extends T>> tasks) throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<? extends T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(result(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T result(Future<T> future) throws Exception {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AssertionError failure) {
        throw failure;
      }
      throw e;
    }
  }
}
