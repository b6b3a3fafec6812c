package dev.mailroom.internal.engine;

import dev.mailroom.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

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

  private final int concurrency;
  private final int messagesPerWork;
  private final int batch;
  private final WorkBuffer buffer;
  private final TimeSource time;
  private final LongAdder handled = new LongAdder();
  private long sampledAt;
  private long sampledCount;
  private double perNano;
  private long slotFreeAt;
  private volatile int low;
  private volatile boolean sated;

  Appetite(ChannelSpec spec, WorkBuffer buffer, TimeSource time) {
    this.concurrency = spec.options().handling().concurrency();
    this.messagesPerWork = spec.messagesPerWork();
    this.batch = spec.options().reading().batch();
    this.buffer = buffer;
    this.time = time;
    this.sampledAt = time.nanos();
    this.slotFreeAt = sampledAt;
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

  /** How many messages to lease now; 0 means enough is in hand. Called by the fetcher alone. */
  int want() {
    // Said before the look: a worker that finishes later sees it, one that finished is counted.
    sated = true;
    int ahead = messagesAhead();
    low = ahead / 2;
    boolean slotFree = hasFreeSlot();
    if (slotFree) {
      slotFreeAt = time.nanos();
    } else if (time.nanos() - slotFreeAt > WITHOUT_FREE_SLOT_NANOS) {
      low = 0;
      return 0;
    }
    int free = Math.max(0, concurrency - buffer.running());
    long room = (long) free * messagesPerWork + ahead - buffer.messages();
    // Without a free slot small bites are not worth a call to the store.
    int worthwhile = slotFree ? 1 : Math.max(1, Math.min(batch, ahead) / 2);
    if (room < worthwhile) {
      return 0;
    }
    sated = false;
    return (int) Math.min(room, batch);
  }

  private int messagesAhead() {
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
