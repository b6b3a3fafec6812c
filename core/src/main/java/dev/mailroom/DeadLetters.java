package dev.mailroom;

import dev.mailroom.internal.engine.Waker;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The dead letters of one channel: to read, to run again, to throw away. */
public final class DeadLetters {
  private static final int STEP = 500;

  private final Channel channel;
  private final Store store;
  private final Waker waker;

  DeadLetters(Channel channel, Store store, Waker waker) {
    this.channel = channel;
    this.store = store;
    this.waker = waker;
  }

  /** Reads a page, oldest death first. */
  public DeadLetterPage list(DeadLetterFilter filter, @Nullable String after, int limit) {
    return store.deadLetters(channel, filter, after, limit);
  }

  /**
   * Makes dead letters ready again, with their attempts reset. Those that die while this runs are
   * left alone.
   *
   * @return how many
   */
  public long redrive(DeadLetterFilter filter) {
    long total = repeat(filter, upToNow -> store.redrive(channel, upToNow, STEP));
    if (total > 0) {
      waker.wake(channel.name());
    }
    return total;
  }

  /**
   * Throws dead letters away; {@link DeadLetterFilter#all} is the explicit yes for all of them.
   *
   * @return how many
   */
  public long discard(DeadLetterFilter filter) {
    long total = repeat(filter, upToNow -> store.discard(channel, upToNow, STEP));
    if (total > 0) {
      waker.wake(channel.name()); // a parked group may go on
    }
    return total;
  }

  /** In bounded steps, and only those that were dead at the beginning: else it might never end. */
  private long repeat(DeadLetterFilter filter, ToIntFunction<DeadLetterFilter> step) {
    DeadLetterFilter bounded = filter;
    if (filter.diedUntil() == null) {
      bounded = filter.diedUntil(store.deadLetters(channel, filter, null, 1).asOf());
    }
    long total = 0;
    int count;
    do {
      count = step.applyAsInt(bounded);
      total += count;
    } while (count == STEP);
    return total;
  }
}
