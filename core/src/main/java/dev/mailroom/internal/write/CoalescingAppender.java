package dev.mailroom.internal.write;

import dev.mailroom.Transaction;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gathers concurrent single writes into one append; each caller returns only after its own message
 * is stored.
 *
 * <p>There is no thread behind it. A caller that finds a free turn takes it and appends its message
 * together with all that wait; callers that come meanwhile wait, and when the turn ends one of them
 * is made to take the next. So the batches grow by themselves with the store's latency and the
 * number of writers, and a single writer is never delayed. If a gathered append fails, each of its
 * callers repeats its own message alone, so that one bad message fails only its caller.
 */
public final class CoalescingAppender implements Appender {
  private final Appender appender;
  private final int batch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Ticket> waiting = new ArrayDeque<>();
  private int freeTurns;

  /**
   * Gathers writes to an appender.
   *
   * @param batch the most messages of one append
   * @param concurrency appends at once
   */
  public CoalescingAppender(Appender appender, int batch, int concurrency) {
    this.appender = appender;
    this.batch = batch;
    this.freeTurns = concurrency;
  }

  private enum Part {
    WAITING,
    LEADS,
    STORED,
    ALONE
  }

  /** One caller's message and what became of it. */
  private static final class Ticket {
    private final NewMessage message;
    private final Thread caller = Thread.currentThread();
    private volatile Part part = Part.WAITING;
    private @Nullable AppendResult result;

    private Ticket(NewMessage message) {
      this.message = message;
    }

    private void tell(Part news) {
      part = news;
      LockSupport.unpark(caller);
    }
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    if (transaction != null || messages.size() != 1) {
      return appender.append(messages, transaction);
    }
    Ticket ticket = new Ticket(messages.get(0));
    if (enter(ticket) == Part.WAITING) {
      await(ticket);
    }
    if (ticket.part == Part.LEADS) {
      lead(ticket);
    }
    AppendResult result = ticket.result;
    return result != null ? List.of(result) : appender.append(messages, null);
  }

  private Part enter(Ticket ticket) {
    lock.lock();
    try {
      if (freeTurns > 0) {
        freeTurns--;
        ticket.part = Part.LEADS;
      } else {
        waiting.add(ticket);
      }
      return ticket.part;
    } finally {
      lock.unlock();
    }
  }

  /** Waits without heeding interrupts: the message may be in an append that is under way. */
  private static void await(Ticket ticket) {
    boolean interrupted = false;
    while (ticket.part == Part.WAITING) {
      LockSupport.park(ticket);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void lead(Ticket own) {
    List<Ticket> gathered = gather(own);
    boolean stored = false;
    try {
      stored = store(gathered);
    } finally {
      endTurn();
      Part part = stored ? Part.STORED : Part.ALONE;
      for (Ticket ticket : gathered) {
        if (ticket != own) {
          ticket.tell(part);
        }
      }
    }
  }

  private List<Ticket> gather(Ticket own) {
    List<Ticket> gathered = new ArrayList<>();
    gathered.add(own);
    lock.lock();
    try {
      while (gathered.size() < batch) {
        Ticket ticket = waiting.poll();
        if (ticket == null) {
          break;
        }
        gathered.add(ticket);
      }
    } finally {
      lock.unlock();
    }
    return gathered;
  }

  private boolean store(List<Ticket> gathered) {
    List<NewMessage> messages = new ArrayList<>(gathered.size());
    gathered.forEach(ticket -> messages.add(ticket.message));
    List<AppendResult> results;
    try {
      results = appender.append(messages, null);
    } catch (RuntimeException error) {
      if (gathered.size() == 1) {
        throw error;
      }
      return false; // each caller tries alone and gets the error that is its own
    }
    for (int i = 0; i < gathered.size(); i++) {
      gathered.get(i).result = results.get(i);
    }
    return true;
  }

  /** Hands the turn to the caller that has waited longest, or frees it. */
  private void endTurn() {
    lock.lock();
    try {
      Ticket next = waiting.poll();
      if (next == null) {
        freeTurns++;
      } else {
        next.tell(Part.LEADS);
      }
    } finally {
      lock.unlock();
    }
  }
}
