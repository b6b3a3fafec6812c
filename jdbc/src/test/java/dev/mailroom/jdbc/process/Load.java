package dev.mailroom.jdbc.process;

import dev.mailroom.spi.Inspectable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Writes on a thread of its own, so that there is always something to do and never too much. */
final class Load implements AutoCloseable {
  private static final int MOST_OPEN = 400;
  private static final int AT_ONCE = 50;

  private final CompletableFuture<Void> outcome = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean ending;

  Load(Sender sender, Inspectable store) {
    this.thread = new Thread(() -> write(sender, store), "load");
    thread.start();
  }

  private void write(Sender sender, Inspectable store) {
    try {
      while (!ending) {
        if (Post.open(store) < MOST_OPEN) {
          sender.send(AT_ONCE);
        } else {
          Stopwatch.rest();
        }
      }
      outcome.complete(null);
    } catch (RuntimeException | Error failure) {
      outcome.completeExceptionally(failure);
    }
  }

  /** Ends it; fails if a write has failed. */
  void end() throws InterruptedException, ExecutionException {
    ending = true;
    outcome.get();
  }

  @Override
  public void close() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
