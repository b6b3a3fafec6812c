package dev.mailroom.internal.write;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.internal.write.PendingWrite.Blocking.Step;
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
 * Group commit: combines concurrent single writes into one append. A call returns only after its
 * own message is stored.
 *
 * <p>A caller that finds no append in flight becomes the leader: it appends its message at once.
 * Callers that come during the append wait as followers, and the next append takes all of them. So
 * the batch size adapts to the store's latency and the number of writers, and a single writer is
 * never delayed. A leader makes a few appends in a row: its thread is running, while a newly woken
 * leader would compete with all the followers that are woken at the same moment. To spare the
 * leader that work, the last follower of a batch wakes the other ones. A second append runs
 * concurrently only when as many writes wait as the first one has: one batch is prepared while the
 * other is written, and neither is split into small ones. If a combined append fails, each of its
 * messages is retried alone, so that one bad message fails only its own caller.
 *
 * <p>Blocking callers do all of this on their own threads. Waking a thread for each message costs
 * more than writing it, so a caller can also submit its message asynchronously: then a thread of
 * {@link WriterThreads} leads, and completes the futures of its append while another thread makes
 * the next append. Asynchronous writes are bounded; beyond the limit the caller blocks.
 */
public final class CoalescingAppender implements Appender {
  /** The most asynchronous writes that are pending at once. */
  static final int MAX_ASYNC_WRITES = 10_000;

  /** The most bytes of their payloads. */
  static final long MAX_ASYNC_BYTES = 32L << 20;

  /** The most appends in a row of one leader. */
  static final int MAX_APPENDS_PER_LEADER = 4;

  private final Appender appender;
  private final int batch;
  private final int concurrency;
  private final Executor threads;
  private final PendingWriteLimit asyncLimit =
      new PendingWriteLimit(MAX_ASYNC_WRITES, MAX_ASYNC_BYTES);
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<PendingWrite> waiting = new ArrayDeque<>();

  /** Appends that have a leader. */
  private int activeAppends;

  /** The number of messages in appends that have collected their batch. */
  private int inFlight;

  /** Whether a leader was elected that has not collected its batch yet. */
  private boolean leaderPending;

  /**
   * Combines writes to an appender.
   *
   * @param batch the most messages of one append
   * @param concurrency the most appends at once
   */
  public CoalescingAppender(Appender appender, int batch, int concurrency) {
    this.appender = appender;
    this.batch = batch;
    this.concurrency = concurrency;
    this.threads =
        new WriterThreads(concurrency + 1); // one completes futures while the others append
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    boolean alone = transaction != null || messages.size() != 1;
    if (alone || WriterThreads.isCurrent()) { // a writer thread would wait for itself
      return appender.append(messages, transaction);
    }
    PendingWrite.Blocking write = new PendingWrite.Blocking(messages.get(0));
    enqueue(write);
    if (write.await() == Step.LEAD) {
      lead(write);
    }
    write.completeFollowers();
    AppendResult result = write.result();
    return List.of(result != null ? result : appendAlone(write.message()));
  }

  @Override
  public CompletionStage<AppendResult> submit(NewMessage message) {
    int size = message.envelope().payload().bytes().length;
    if (!asyncLimit.tryAcquire(size)) {
      return Appender.super.submit(message);
    }
    PendingWrite.Async write = new PendingWrite.Async(message);
    CompletionStage<AppendResult> end =
        write.end().whenComplete((result, error) -> asyncLimit.release(size));
    enqueue(write);
    return end;
  }

  /** Retries a message of a failed combined append; if that was stored, this is no duplicate. */
  private AppendResult appendAlone(NewMessage message) {
    AppendResult result = appender.append(List.of(message.again()), null).get(0);
    boolean itself = message.fresh() && result.id().equals(message.id());
    return itself ? new AppendResult(result.id(), true, result.acceptedAt()) : result;
  }

  private void enqueue(PendingWrite write) {
    PendingWrite leader;
    lock.lock();
    try {
      waiting.add(write);
      leader = electLeader();
    } finally {
      lock.unlock();
    }
    begin(leader);
  }

  /** Elects the oldest waiting write, if another append may start. */
  private @Nullable PendingWrite electLeader() {
    boolean enough = activeAppends == 0 || waiting.size() >= Math.min(batch, inFlight);
    if (leaderPending || activeAppends >= concurrency || !enough) {
      return null;
    }
    PendingWrite next = waiting.poll();
    if (next != null) {
      activeAppends++;
      leaderPending = true;
    }
    return next;
  }

  private void begin(@Nullable PendingWrite leader) {
    if (leader instanceof PendingWrite.Blocking caller) {
      caller.resume(Step.LEAD);
    } else if (leader != null) {
      try {
        threads.execute(() -> lead(leader));
      } catch (RuntimeException | OutOfMemoryError noThread) {
        lead(leader); // its followers wait for it
      }
    }
  }

  /** Leads an append, and further ones for waiting callers. */
  private void lead(PendingWrite first) {
    PendingWrite own = first;
    for (int left = MAX_APPENDS_PER_LEADER - 1; own != null; left--) {
      own = append(own, left > 0);
    }
  }

  /** Makes one append. Returns the next leader if this thread is to lead that append too. */
  private @Nullable PendingWrite append(PendingWrite own, boolean mayKeepLeading) {
    List<PendingWrite> batched = new ArrayList<>();
    batched.add(own);
    boolean keepsLeading = false;
    List<AppendResult> results = List.of();
    Throwable failure = null;
    try {
      collect(batched);
      keepsLeading = mayKeepLeading && allBlocking(batched);
      results = append(batched);
    } catch (RuntimeException | Error error) {
      failure = error;
    }
    keepsLeading &= failure == null && !Thread.currentThread().isInterrupted();
    PendingWrite next = finishAppend(batched.size());
    if (keepsLeading && next instanceof PendingWrite.Blocking) {
      PendingWrite.Blocking.completeInChain(batched, results);
      return next;
    }
    begin(next); // before the followers are woken
    if (failure == null) {
      PendingWrite.completeAll(batched, results);
    } else {
      failed(batched, failure);
    }
    return null;
  }

  private List<AppendResult> append(List<PendingWrite> batched) {
    List<AppendResult> results =
        appender.append(batched.stream().map(PendingWrite::message).toList(), null);
    if (results.size() != batched.size()) {
      throw new IllegalStateException(
          "The store returned "
              + results.size()
              + " results for an append of "
              + batched.size()
              + " messages.");
    }
    return results;
  }

  /** Whether all are blocking callers, which can wake each other; futures run callbacks. */
  private static boolean allBlocking(List<PendingWrite> batched) {
    return batched.size() > 1 && batched.stream().allMatch(PendingWrite.Blocking.class::isInstance);
  }

  /** Adds the waiting writes. If this throws, no write is lost and the append can be finished. */
  private void collect(List<PendingWrite> batched) {
    PendingWrite leader;
    lock.lock();
    try {
      for (PendingWrite next = waiting.peek();
          next != null && batched.size() < batch;
          next = waiting.peek()) {
        batched.add(next);
        waiting.remove();
      }
    } finally {
      inFlight += batched.size();
      leaderPending = false;
      leader = electLeader();
      lock.unlock();
    }
    begin(leader);
  }

  /** Returns the leader of the next append, or null. */
  private @Nullable PendingWrite finishAppend(int size) {
    lock.lock();
    try {
      activeAppends--;
      inFlight -= size;
      return electLeader();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Each message is retried alone and gets its own error. A batch of one has its own error already,
   * unless another thread led it, which may have been interrupted.
   */
  private void failed(List<PendingWrite> batched, Throwable failure) {
    PendingWrite own = batched.get(0);
    boolean isOwnError = batched.size() == 1 || failure instanceof Error;
    Throwable known = isOwnError && !own.isOnOtherThread() ? failure : null;
    if (known != null) {
      own.failed(known);
    }
    for (PendingWrite write : batched.subList(known == null ? 0 : 1, batched.size())) {
      if (write instanceof PendingWrite.Blocking caller) {
        caller.resume(Step.RETRY);
      }
    }
    retryAsync(batched.subList(known == null ? 0 : 1, batched.size()), failure);
  }

  /**
   * Retries asynchronous writes one by one until the first transient error, which then fails the
   * rest: the store is unavailable, and each further attempt would go through all retries.
   */
  private void retryAsync(List<PendingWrite> batched, Throwable failure) {
    Throwable transientError = failure instanceof TransientStoreException ? failure : null;
    for (PendingWrite write : batched) {
      if (write instanceof PendingWrite.Async && transientError != null) {
        write.failed(transientError);
      } else if (write instanceof PendingWrite.Async) {
        try {
          write.stored(appendAlone(write.message()));
        } catch (TransientStoreException error) {
          transientError = error;
          write.failed(error);
        } catch (RuntimeException | Error error) {
          write.failed(error);
        }
      }
    }
  }
}
