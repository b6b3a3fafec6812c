package dev.mailroom.internal.write;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One caller's message that is gathered with others, and what becomes of it. */
abstract sealed class Ticket {
  private final NewMessage message;

  private Ticket(NewMessage message) {
    this.message = message;
  }

  NewMessage message() {
    return message;
  }

  /** It is stored. */
  abstract void stored(AppendResult result);

  /** It is not, as far as is known. */
  abstract void failed(Throwable error);

  /** A caller that waits, and does by itself what is to be done for its message. */
  static final class Waiting extends Ticket {
    /** What the caller has to do next. */
    enum Part {
      WAIT,
      LEAD,
      RETURN,
      REPEAT
    }

    private final Thread caller = Thread.currentThread();
    private volatile Part part = Part.WAIT;
    private @Nullable AppendResult result;
    private @Nullable Throwable error;

    Waiting(NewMessage message) {
      super(message);
    }

    @Override
    void stored(AppendResult stored) {
      result = stored;
      tell(Part.RETURN);
    }

    @Override
    void failed(Throwable failure) {
      error = failure;
      tell(Part.RETURN);
    }

    void tell(Part news) {
      part = news;
      if (caller != Thread.currentThread()) {
        LockSupport.unpark(caller);
      }
    }

    /** Waits without heeding interrupts: the message may be in an append that is under way. */
    Part await() {
      boolean interrupted = false;
      while (part == Part.WAIT) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return part;
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

  /** A caller that has gone on with something else. */
  static final class Left extends Ticket {
    private final CompletableFuture<AppendResult> end = new CompletableFuture<>();

    Left(NewMessage message) {
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
