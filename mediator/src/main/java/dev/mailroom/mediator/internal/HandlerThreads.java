package dev.mailroom.mediator.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thread for each event handler that runs beside its publisher: virtual where the Java version
 * has them (21 and later). Not a pool, in which publishers that wait for handlers that publish
 * could take every thread and wait for ever; and nothing to be closed.
 */
public final class HandlerThreads {
  private HandlerThreads() {}

  /** The executor that starts them. */
  public static Executor executor() {
    return Holder.EXECUTOR;
  }

  /** Looked for when a mediator first needs it. */
  private static final class Holder {
    static final Executor EXECUTOR = virtualOrPlatform();

    private static Executor virtualOrPlatform() {
      try {
        return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      } catch (ReflectiveOperationException beforeJava21) {
        return Holder::start;
      }
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "mailroom-event-handler");
      thread.setDaemon(true);
      try {
        thread.start();
      } catch (OutOfMemoryError noMoreThreads) {
        throw new RejectedExecutionException("No thread for an event handler.", noMoreThreads);
      }
    }
  }
}
