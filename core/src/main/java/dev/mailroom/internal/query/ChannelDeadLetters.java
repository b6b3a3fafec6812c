package dev.mailroom.internal.query;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.internal.engine.Waker;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The dead letters of a channel in its store. */
public final class ChannelDeadLetters implements DeadLetters {
  private static final int STEP = 500;

  private final Channel channel;
  private final Store store;
  private final Waker waker;

  /** Of this channel. */
  public ChannelDeadLetters(Channel channel, Store store, Waker waker) {
    this.channel = channel;
    this.store = store;
    this.waker = waker;
  }

  @Override
  public DeadLetterPage list(DeadLetterFilter filter, int limit) {
    return store.deadLetters(channel, filter, null, limit);
  }

  @Override
  public DeadLetterPage list(DeadLetterFilter filter, String cursor, int limit) {
    Objects.requireNonNull(cursor, "cursor");
    return store.deadLetters(channel, filter, cursor, limit);
  }

  @Override
  public Stream<DeadLetter> stream(DeadLetterFilter filter) {
    return Pages.stream(
        cursor -> {
          DeadLetterPage page = store.deadLetters(channel, filter, cursor, STEP);
          return new Pages.Page<>(page.letters(), page.nextCursor());
        });
  }

  @Override
  public Optional<DeadLetter> find(UUID messageId) {
    return stream(DeadLetterFilter.of(messageId)).findFirst();
  }

  @Override
  public long redrive(DeadLetterFilter filter) {
    long total = repeat(filter, upToNow -> store.redrive(channel, upToNow, STEP));
    if (total > 0) {
      waker.wake(channel.name());
    }
    return total;
  }

  @Override
  public long discard(DeadLetterFilter filter) {
    long total = repeat(filter, upToNow -> store.discard(channel, upToNow, STEP));
    if (total > 0) {
      waker.wake(channel.name()); // a parked group may be ready
    }
    return total;
  }

  /**
   * In bounded steps, and only messages dead-lettered before the start: else it might never end.
   */
  private long repeat(DeadLetterFilter filter, ToIntFunction<DeadLetterFilter> step) {
    DeadLetterFilter bounded = filter;
    if (filter.deadLetteredUntil() == null) {
      bounded = filter.deadLetteredUntil(store.deadLetters(channel, filter, null, 1).asOf());
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
