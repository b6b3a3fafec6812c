package dev.mailroom.internal.engine;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * How many messages to lease next: a sliding window.
 *
 * <p>Every free slot wants work. Beyond that, as many messages are leased ahead as the workers will
 * finish within {@link #HORIZON} at the rate they have shown, so that they never wait for the
 * store; slow handlers thus keep nothing from other processes, and fast ones are always fed.
 */
final class Appetite {
  private static final Duration HORIZON = Duration.ofMillis(50);
  private static final long SAMPLE_NANOS = Duration.ofMillis(5).toNanos();

  /**
   * What has crashed a worker is leased for a free slot only, and while there is always enough in
   * hand no slot is ever free: after this long the buffer is left to run empty once.
   */
  private static final long WITHOUT_FREE_SLOT_NANOS = Duration.ofMillis(500).toNanos();

  /** For how long messages may arrive although others wait in the store. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofMillis(100).toNanos();

  /** Up to how many messages cost less to lease as they are stored than to claim. */
  private static final int SMALL_WRITE = 100;

  private final int concurrency;
  private final int messagesPerWork;
  private final int batch;
  private final int arrivalsPerWork;
  private final WorkBuffer buffer;
  private final BooleanSupplier settlerIsBehind;
  private final TimeSource time;
  private final LongAdder handled = new LongAdder();
  private final AtomicInteger expected = new AtomicInteger();
  private long sampledAt;
  private long sampledCount;
  private double perNano;
  private long slotFreeAt;
  private volatile int low;
  private volatile boolean sated;

  /** Whether something waits in the store, as far as is known, and since when. */
  private volatile boolean waits = true;

  private volatile long waitsSince;

  Appetite(ChannelSpec spec, WorkBuffer buffer, BooleanSupplier settlerIsBehind, TimeSource time) {
    this.concurrency = spec.options().handling().concurrency();
    this.messagesPerWork = spec.messagesPerWork();
    this.batch = spec.options().reading().batch();
    this.arrivalsPerWork = spec.processor().batched() ? messagesPerWork : 1;
    this.buffer = buffer;
    this.settlerIsBehind = settlerIsBehind;
    this.time = time;
    this.sampledAt = time.nanos();
    this.slotFreeAt = sampledAt;
    this.waitsSince = sampledAt - 2 * LONGEST_WAIT_NANOS; // nobody has looked yet
  }

  /** A worker has handled messages. */
  void handled(int messages) {
    handled.add(messages);
  }

  /** How many messages were handled so far. */
  long handled() {
    return handled.sum();
  }

  /**
   * Whether the fetcher stopped because enough was in hand, and so little is left that it should
   * look again. If it stopped because the store had no more, only a wake-up is worth a look.
   */
  boolean isHungryAgain() {
    return sated && buffer.messages() <= low;
  }

  /** Whether a worker is free to start at once what is leased now. */
  boolean hasFreeSlot() {
    return buffer.running() + buffer.works() < concurrency;
  }

  /** A claim has left something in the store, as far as is known, or nothing. */
  void looked(boolean left) {
    if (left && !waits) {
      waitsSince = time.nanos();
    }
    waits = left;
  }

  /**
   * Whether so many messages may be leased as they are written. Not if others wait in the store and
   * have done so for a while: they would wait on for as long as messages arrive. Whoever was
   * invited says {@link #arrived}.
   *
   * <p>A claim of many costs less than it does to lease them as they are stored, so of a large
   * write only as many are invited as can be begun with at once; of a small one, which would be
   * claimed with few others, as many as would be leased ahead.
   */
  boolean invite(int messages) {
    boolean late = waits && time.nanos() - waitsSince > LONGEST_WAIT_NANOS;
    if (messages > batch || late || settlerIsBehind.getAsBoolean()) {
      return false;
    }
    expected.addAndGet(messages);
    if (room(arrivalsPerWork, messages > SMALL_WRITE ? 0 : messagesAhead()) >= 0) {
      return true;
    }
    expected.addAndGet(-messages);
    return false;
  }

  /** So many messages that were invited are in hand now, or stay away. */
  void arrived(int messages) {
    expected.addAndGet(-messages);
  }

  /** How many messages to lease now; 0 means enough is in hand. Called by the fetcher alone. */
  int want() {
    // Said before the look: a worker that finishes later sees it, one that finished is counted.
    sated = true;
    int ahead = messagesAhead();
    low = ahead / 2;
    if (settlerIsBehind.getAsBoolean()) {
      looked(true); // for all we know
      return 0;
    }
    boolean slotFree = hasFreeSlot();
    if (slotFree) {
      slotFreeAt = time.nanos();
    } else if (time.nanos() - slotFreeAt > WITHOUT_FREE_SLOT_NANOS) {
      low = 0;
      looked(true); // for all we know
      return 0;
    }
    long room = room(messagesPerWork, ahead);
    // Without a free slot small bites are not worth a call to the store.
    int worthwhile = slotFree ? 1 : Math.max(1, Math.min(batch, ahead) / 2);
    if (room < worthwhile) {
      looked(true); // for all we know
      return 0;
    }
    sated = false;
    return (int) Math.min(room, batch);
  }

  private long room(int perWork, int ahead) {
    int free = Math.max(0, concurrency - buffer.running());
    return (long) free * perWork + ahead - buffer.messages() - expected.get();
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
