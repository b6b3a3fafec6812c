package dev.mailroom.internal.write;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.internal.write.Ticket.Waiting.Part;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gathers concurrent single writes into one append; each caller learns only after its own message
 * is stored that it is.
 *
 * <p>A caller that finds nothing under way leads: it appends its message at once. Callers that come
 * meanwhile wait, and when the append ends the next one begins with all that wait. So the batches
 * grow by themselves with the store's latency and the number of writers, and a single writer is
 * never delayed. Whoever leads does so for a few appends: its thread runs already, while one that
 * has to be woken stands in line behind all those that are told of their messages at the same
 * moment. These tell each other, and then another one leads. A further append begins beside one
 * that is under way only when as many wait as that one carries: one batch is prepared while the
 * other is written, and neither is cut into small ones. If a gathered append fails, each of its
 * messages is repeated alone, so that one bad message fails only its caller.
 *
 * <p>Callers that wait do all of this on their own threads. To wake one for each message costs more
 * than to write it, so a caller can also leave its message behind and be told: then a thread of
 * {@link WriterThreads} leads, and tells all callers of its append one after another while another
 * thread makes the next append. What is left behind is bounded; a caller that finds no room waits.
 */
public final class CoalescingAppender implements Appender {
  /** The most messages that are left behind at once. */
  static final int MOST_LEFT = 10_000;

  /** The most bytes of their payloads. */
  static final long MOST_BYTES_LEFT = 32L << 20;

  /** How many appends one caller leads: its own, and some after which it could have returned. */
  static final int MOST_IN_A_ROW = 4;

  private final Appender appender;
  private final int batch;
  private final int concurrency;
  private final Executor threads;
  private final Room room = new Room(MOST_LEFT, MOST_BYTES_LEFT);
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
    this.threads = new WriterThreads(concurrency + 1); // one tells while the others append
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    boolean alone = transaction != null || messages.size() != 1;
    if (alone || WriterThreads.isCurrent()) { // which would wait for itself
      return appender.append(messages, transaction);
    }
    Ticket.Waiting ticket = new Ticket.Waiting(messages.get(0));
    enter(ticket);
    if (ticket.await() == Part.LEAD) {
      lead(ticket);
    }
    ticket.tellOthers();
    AppendResult result = ticket.result();
    return List.of(result != null ? result : alone(ticket.message()));
  }

  @Override
  public CompletionStage<AppendResult> submit(NewMessage message) {
    int size = message.envelope().payload().bytes().length;
    if (!room.take(size)) {
      return Appender.super.submit(message);
    }
    Ticket.Left ticket = new Ticket.Left(message);
    CompletionStage<AppendResult> end =
        ticket.end().whenComplete((result, error) -> room.giveBack(size));
    enter(ticket);
    return end;
  }

  /** After a gathered append that failed, though it may have taken effect: that is no duplicate. */
  private AppendResult alone(NewMessage message) {
    AppendResult result = appender.append(List.of(message.again()), null).get(0);
    boolean itself = message.fresh() && result.id().equals(message.id());
    return itself ? new AppendResult(result.id(), true, result.acceptedAt()) : result;
  }

  private void enter(Ticket ticket) {
    Ticket leader;
    lock.lock();
    try {
      waiting.add(ticket);
      leader = nameLeader();
    } finally {
      lock.unlock();
    }
    begin(leader);
  }

  /** The one that has waited longest is to lead, if it is time for another append. */
  private @Nullable Ticket nameLeader() {
    boolean enough = turns == 0 || waiting.size() >= Math.min(batch, underWay);
    if (named || turns >= concurrency || !enough) {
      return null;
    }
    Ticket next = waiting.poll();
    if (next != null) {
      turns++;
      named = true;
    }
    return next;
  }

  private void begin(@Nullable Ticket leader) {
    if (leader instanceof Ticket.Waiting caller) {
      caller.tell(Part.LEAD);
    } else if (leader != null) {
      try {
        threads.execute(() -> lead(leader));
      } catch (RuntimeException | OutOfMemoryError noThread) {
        lead(leader); // those behind it wait for it
      }
    }
  }

  /** Leads an append, and the next ones for others who wait. */
  private void lead(Ticket first) {
    Ticket own = first;
    for (int left = MOST_IN_A_ROW - 1; own != null; left--) {
      own = append(own, left > 0);
    }
  }

  /** Makes one append. Answers with who comes next, if this thread is to lead that one too. */
  private @Nullable Ticket append(Ticket own, boolean mayGoOn) {
    List<Ticket> gathered = new ArrayList<>();
    gathered.add(own);
    boolean goesOn = false;
    List<AppendResult> results = List.of();
    Throwable failure = null;
    try {
      gather(gathered);
      goesOn = mayGoOn && allWait(gathered);
      results = append(gathered);
    } catch (RuntimeException | Error error) {
      failure = error;
    }
    goesOn &= failure == null && !Thread.currentThread().isInterrupted();
    Ticket next = endTurn(gathered.size());
    if (goesOn && next instanceof Ticket.Waiting) {
      Ticket.Waiting.tellEachOther(gathered, results);
      return next;
    }
    begin(next); // before anybody is told
    if (failure == null) {
      Ticket.tell(gathered, results);
    } else {
      failed(gathered, failure);
    }
    return null;
  }

  private List<AppendResult> append(List<Ticket> gathered) {
    List<AppendResult> results =
        appender.append(gathered.stream().map(Ticket::message).toList(), null);
    if (results.size() != gathered.size()) {
      throw new IllegalStateException(
          "The store has answered "
              + results.size()
              + " times to an append of "
              + gathered.size()
              + " messages.");
    }
    return results;
  }

  /** Whether these are several callers, who can tell each other: what others do takes long. */
  private static boolean allWait(List<Ticket> gathered) {
    return gathered.size() > 1 && gathered.stream().allMatch(Ticket.Waiting.class::isInstance);
  }

  /** Adds those that wait. None is forgotten, and the turn can be ended, whatever is thrown. */
  private void gather(List<Ticket> gathered) {
    Ticket leader;
    lock.lock();
    try {
      for (Ticket next = waiting.peek();
          next != null && gathered.size() < batch;
          next = waiting.peek()) {
        gathered.add(next);
        waiting.remove();
      }
    } finally {
      underWay += gathered.size();
      named = false;
      leader = nameLeader();
      lock.unlock();
    }
    begin(leader);
  }

  /** Says who leads the next append, if there is to be one. */
  private @Nullable Ticket endTurn(int size) {
    lock.lock();
    try {
      turns--;
      underWay -= size;
      return nameLeader();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Each is tried alone and gets the error that is its own; an error of one is its own already,
   * unless another one has led it, who may have been interrupted.
   */
  private void failed(List<Ticket> gathered, Throwable failure) {
    Ticket own = gathered.get(0);
    boolean itsOwn = gathered.size() == 1 || failure instanceof Error;
    Throwable known = itsOwn && !own.isElsewhere() ? failure : null;
    if (known != null) {
      own.failed(known);
    }
    for (Ticket ticket : gathered.subList(known == null ? 0 : 1, gathered.size())) {
      if (ticket instanceof Ticket.Waiting caller) {
        caller.tell(Part.REPEAT);
      }
    }
    repeat(gathered.subList(known == null ? 0 : 1, gathered.size()), failure);
  }

  /**
   * Repeats those that were left behind, one by one, until the store is found to be in trouble: to
   * try that again for each of them would take long, and has been tried often enough.
   */
  private void repeat(List<Ticket> gathered, Throwable failure) {
    Throwable trouble = failure instanceof TransientStoreException ? failure : null;
    for (Ticket ticket : gathered) {
      if (ticket instanceof Ticket.Left && trouble != null) {
        ticket.failed(trouble);
      } else if (ticket instanceof Ticket.Left) {
        try {
          ticket.stored(alone(ticket.message()));
        } catch (TransientStoreException error) {
          trouble = error;
          ticket.failed(error);
        } catch (RuntimeException | Error error) {
          ticket.failed(error);
        }
      }
    }
  }
}
