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
 * <p>There is no thread behind it. A caller that finds nothing under way leads: it appends its
 * message at once. Callers that come meanwhile wait, and when the append ends one of them is made
 * to lead the next, with all that wait. So the batches grow by themselves with the store's latency
 * and the number of writers, and a single writer is never delayed. A further append begins beside
 * one that is under way only when as many wait as that one carries: one batch is prepared while the
 * other is written, and neither is cut into small ones. If a gathered append fails, each of its
 * callers repeats its own message alone, so that one bad message fails only its caller.
 */
public final class CoalescingAppender implements Appender {
  private final Appender appender;
  private final int batch;
  private final int concurrency;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Ticket> waiting = new ArrayDeque<>();

  /** Appends that have a leader. */
  private int turns;

  /** The messages of those of them that have gathered theirs. */
  private int underWay;

  /** Whether a leader was named that has not gathered yet. */
  private boolean named;

  /**
   * Gathers writes to an appender.
   *
   * @param batch the most messages of one append
   * @param concurrency the most appends at once
   */
  public CoalescingAppender(Appender appender, int batch, int concurrency) {
    this.appender = appender;
    this.batch = batch;
    this.concurrency = concurrency;
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
      if (caller != Thread.currentThread()) {
        LockSupport.unpark(caller);
      }
    }
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    if (transaction != null || messages.size() != 1) {
      return appender.append(messages, transaction);
    }
    Ticket ticket = new Ticket(messages.get(0));
    enter(ticket);
    if (ticket.part == Part.WAITING) {
      await(ticket);
    }
    if (ticket.part == Part.LEADS) {
      lead(ticket);
    }
    AppendResult result = ticket.result;
    return List.of(result != null ? result : alone(ticket.message));
  }

  /** After a gathered append that failed, though it may have taken effect. */
  private AppendResult alone(NewMessage message) {
    return appender.append(List.of(message.again()), null).get(0);
  }

  private void enter(Ticket ticket) {
    lock.lock();
    try {
      waiting.add(ticket);
      nameLeader();
    } finally {
      lock.unlock();
    }
  }

  /** Makes the caller that has waited longest lead, if it is time for another append. */
  private void nameLeader() {
    boolean enough = turns == 0 || waiting.size() >= Math.min(batch, underWay);
    if (!named && turns < concurrency && enough) {
      Ticket next = waiting.poll();
      if (next != null) {
        turns++;
        named = true;
        next.tell(Part.LEADS);
      }
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
      endTurn(gathered.size()); // before the others are told, so that the next append can begin
      Part part = stored ? Part.STORED : Part.ALONE;
      gathered.forEach(ticket -> ticket.tell(part));
    }
  }

  private List<Ticket> gather(Ticket own) {
    List<Ticket> gathered = new ArrayList<>();
    gathered.add(own);
    lock.lock();
    try {
      while (gathered.size() < batch && !waiting.isEmpty()) {
        gathered.add(waiting.remove());
      }
      underWay += gathered.size();
      named = false;
      nameLeader();
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

  private void endTurn(int size) {
    lock.lock();
    try {
      turns--;
      underWay -= size;
      nameLeader();
    } finally {
      lock.unlock();
    }
  }
}
