package dev.mailroom.internal.write;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One caller's message in a combined append, and its result. */
abstract sealed class PendingWrite {
  private final NewMessage message;

  private PendingWrite(NewMessage message) {
    this.message = message;
  }

  NewMessage message() {
    return message;
  }

  /** Whether its caller blocks on another thread than the current one. */
  boolean isOnOtherThread() {
    return false;
  }

  /** The message is stored. */
  abstract void stored(AppendResult result);

  /** The message is not stored, as far as is known. */
  abstract void failed(Throwable error);

  /** Completes each write with its result. */
  static void completeAll(List<PendingWrite> writes, List<AppendResult> results) {
    for (int i = 0; i < writes.size(); i++) {
      writes.get(i).stored(results.get(i));
    }
  }

  /** A blocking caller: its own thread leads, retries or returns. */
  static final class Blocking extends PendingWrite {
    /** What the caller has to do next. */
    enum Step {
      WAIT,
      LEAD,
      RETURN,
      RETRY
    }

    private final Thread caller = Thread.currentThread();
    private volatile Step step = Step.WAIT;
    private @Nullable AppendResult result;
    private @Nullable Throwable error;
    private List<PendingWrite> followers = List.of();
    private List<AppendResult> results = List.of();

    Blocking(NewMessage message) {
      super(message);
    }

    @Override
    void stored(AppendResult stored) {
      result = stored;
      resume(Step.RETURN);
    }

    @Override
    void failed(Throwable failure) {
      error = failure;
      resume(Step.RETURN);
    }

    /**
     * Wakes the last of these callers, which wakes the others: the leader goes on with the next
     * append. The first of them may be the leader itself.
     */
    static void completeInChain(List<PendingWrite> waiting, List<AppendResult> results) {
      int last = waiting.size() - 1;
      int from = waiting.get(0).isOnOtherThread() ? 0 : 1;
      completeAll(waiting.subList(0, from), results.subList(0, from));
      Blocking waker = (Blocking) waiting.get(last);
      waker.followers = waiting.subList(from, last);
      waker.results = results.subList(from, last);
      waker.stored(results.get(last));
    }

    /** Wakes the callers that the leader has left to this one. */
    void completeFollowers() {
      PendingWrite.completeAll(followers, results);
    }

    @Override
    boolean isOnOtherThread() {
      return caller != Thread.currentThread();
    }

    void resume(Step next) {
      step = next;
      if (isOnOtherThread()) {
        LockSupport.unpark(caller);
      }
    }

    /** Waits uninterruptibly: the message may be in an append that is in flight. */
    Step await() {
      boolean interrupted = false;
      while (step == Step.WAIT) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return step;
    }

    /** The result, if the message was stored; null if it has to be stored alone. */
    @Nullable AppendResult result() {
      if (error instanceof RuntimeException exception) {
        throw exception;
      }
      if (error instanceof Error own) {
        throw own;
      }
      return result;
    }
  }

  /** An asynchronous write: its caller has a future. */
  static final class Async extends PendingWrite {
    private final CompletableFuture<AppendResult> end = new CompletableFuture<>();

    Async(NewMessage message) {
      super(message);
    }

    CompletableFuture<AppendResult> end() {
      return end;
    }

    @Override
    void stored(AppendResult result) {
      end.complete(result);
    }

    @Override
    void failed(Throwable error) {
      end.completeExceptionally(error);
    }
  }
}
