package dev.mailroom.internal.write;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.List;
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

  /** Whether its caller waits on another thread than this one. */
  boolean isElsewhere() {
    return false;
  }

  /** It is stored. */
  abstract void stored(AppendResult result);

  /** It is not, as far as is known. */
  abstract void failed(Throwable error);

  /** All of these are stored. */
  static void tell(List<Ticket> tickets, List<AppendResult> results) {
    for (int i = 0; i < tickets.size(); i++) {
      tickets.get(i).stored(results.get(i));
    }
  }

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
    private List<Ticket> others = List.of();
    private List<AppendResult> results = List.of();

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

    /**
     * All of these are stored, and wait. The last of them is told, and tells the others. Whoever
     * leads them has better things to do, and may be the first of them.
     */
    static void tellEachOther(List<Ticket> waiting, List<AppendResult> results) {
      int last = waiting.size() - 1;
      int from = waiting.get(0).isElsewhere() ? 0 : 1;
      tell(waiting.subList(0, from), results.subList(0, from));
      Waiting teller = (Waiting) waiting.get(last);
      teller.others = waiting.subList(from, last);
      teller.results = results.subList(from, last);
      teller.stored(results.get(last));
    }

    /** Tells those that it was asked to. */
    void tellOthers() {
      Ticket.tell(others, results);
    }

    @Override
    boolean isElsewhere() {
      return caller != Thread.currentThread();
    }

    void tell(Part news) {
      part = news;
      if (isElsewhere()) {
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
