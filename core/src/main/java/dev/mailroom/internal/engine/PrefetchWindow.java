package dev.mailroom.internal.engine;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * How many messages to lease next: a prefetch window that adapts to the handlers' throughput.
 *
 * <p>Each free worker gets messages. In addition, as many messages are prefetched as the workers
 * will finish within {@link #HORIZON} at their measured rate, so that they never wait for the
 * store. Slow handlers thus prefetch little, which leaves messages to other processes.
 */
final class PrefetchWindow {
  private static final Duration HORIZON = Duration.ofMillis(50);
  private static final long SAMPLE_NANOS = Duration.ofMillis(5).toNanos();

  /**
   * Poison messages are leased for a free worker only, and with a full window no worker is ever
   * free: after this time the buffer is drained once.
   */
  private static final long WITHOUT_FREE_SLOT_NANOS = Duration.ofMillis(500).toNanos();

  /** How long appended messages may be leased directly although a backlog waits in the store. */
  private static final long MAX_BACKLOG_WAIT_NANOS = Duration.ofMillis(100).toNanos();

  /** Up to this size, leasing at the append costs less than a claim. */
  private static final int SMALL_WRITE = 100;

  private final int concurrency;
  private final int messagesPerItem;
  private final int batch;
  private final int appendsPerItem;
  private final WorkBuffer buffer;
  private final BooleanSupplier settlerIsBehind;
  private final TimeSource time;
  private final LongAdder handled = new LongAdder();
  private final AtomicInteger reserved = new AtomicInteger();
  private long sampledAt;
  private long sampledCount;
  private double perNano;
  private long slotFreeAt;
  private volatile int low;
  private volatile boolean filled;

  /** Whether a backlog waits in the store, as far as is known, and since when. */
  private volatile boolean backlog = true;

  private volatile long backlogSince;

  PrefetchWindow(
      ChannelSpec spec, WorkBuffer buffer, BooleanSupplier settlerIsBehind, TimeSource time) {
    this.concurrency = spec.options().handling().concurrency();
    this.messagesPerItem = spec.messagesPerItem();
    this.batch = spec.options().reading().batch();
    this.appendsPerItem = spec.processor().batched() ? messagesPerItem : 1;
    this.buffer = buffer;
    this.settlerIsBehind = settlerIsBehind;
    this.time = time;
    this.sampledAt = time.nanos();
    this.slotFreeAt = sampledAt;
    this.backlogSince = sampledAt - 2 * MAX_BACKLOG_WAIT_NANOS; // no claim yet
  }

  /** Counts handled messages. */
  void handled(int messages) {
    handled.add(messages);
  }

  /** The number of messages handled so far. */
  long handled() {
    return handled.sum();
  }

  /**
   * Whether the fetcher stopped because the window was full and the buffer has fallen below the low
   * mark. If it stopped because the store was empty, it waits for a wake-up.
   */
  boolean needsRefill() {
    return filled && buffer.messages() <= low;
  }

  /** Whether a worker is free to start a leased message at once. */
  boolean hasFreeSlot() {
    return buffer.running() + buffer.items() < concurrency;
  }

  /** Records whether a claim has left a backlog in the store, as far as is known. */
  void recordBacklog(boolean found) {
    if (found && !backlog) {
      backlogSince = time.nanos();
    }
    backlog = found;
  }

  /**
   * Reserves space in the window for messages that are to be leased as they are appended; false if
   * there is none, or if a backlog has waited in the store for a while: it would starve. After
   * success the caller calls {@link #endReservation}.
   *
   * <p>A large claim costs less per message than leasing at the append, so for a large write only
   * free workers count; for a small one the prefetched messages count too.
   */
  boolean reserve(int messages) {
    boolean late = backlog && time.nanos() - backlogSince > MAX_BACKLOG_WAIT_NANOS;
    if (messages > batch || late || settlerIsBehind.getAsBoolean()) {
      return false;
    }
    reserved.addAndGet(messages);
    if (freeCapacity(appendsPerItem, messages > SMALL_WRITE ? 0 : messagesAhead()) >= 0) {
      return true;
    }
    reserved.addAndGet(-messages);
    return false;
  }

  /** Ends a reservation: the messages are in the buffer, or were not leased. */
  void endReservation(int messages) {
    reserved.addAndGet(-messages);
  }

  /** The size of the next claim; 0 if the window is full. Called by the fetcher alone. */
  int claimLimit() {
    // Set before the counts are read: a worker that finishes later sees the flag.
    filled = true;
    int ahead = messagesAhead();
    low = ahead / 2;
    if (settlerIsBehind.getAsBoolean()) {
      recordBacklog(true); // unknown, so assumed
      return 0;
    }
    boolean slotFree = hasFreeSlot();
    if (slotFree) {
      slotFreeAt = time.nanos();
    } else if (time.nanos() - slotFreeAt > WITHOUT_FREE_SLOT_NANOS) {
      low = 0;
      recordBacklog(true); // unknown, so assumed
      return 0;
    }
    long freeCapacity = freeCapacity(messagesPerItem, ahead);
    // Without a free worker a small claim is not worth a call to the store.
    int worthwhile = slotFree ? 1 : Math.max(1, Math.min(batch, ahead) / 2);
    if (freeCapacity < worthwhile) {
      recordBacklog(true); // unknown, so assumed
      return 0;
    }
    filled = false;
    return (int) Math.min(freeCapacity, batch);
  }

  private long freeCapacity(int perWork, int ahead) {
    int free = Math.max(0, concurrency - buffer.running());
    return (long) free * perWork + ahead - buffer.messages() - reserved.get();
  }

  private synchronized int messagesAhead() {
    long now = time.nanos();
    long elapsed = now - sampledAt;
    if (elapsed >= SAMPLE_NANOS) {
      long count = handled.sum();
      double rate = (double) (count - sampledCount) / elapsed;
      perNano = rate > perNano ? rate : (perNano + rate) / 2;
      sampledAt = now;
      sampledCount = count;
    }
    return (int) Math.min(perNano * HORIZON.toNanos(), 2.0 * batch);
  }
}
