package dev.mailroom.internal.write;

import dev.mailroom.internal.engine.Arrivals;
import dev.mailroom.internal.engine.Waker;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages to the store: leased for this process's own workers if those are free, and
 * otherwise with a hint for them.
 */
public final class StoreAppender implements Appender {
  private final Channel channel;
  private final Store store;
  private final Waker waker;

  /** For one channel of a store. */
  public StoreAppender(Channel channel, Store store, Waker waker) {
    this.channel = channel;
    this.store = store;
    this.waker = waker;
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    Arrivals arrivals = transaction == null ? waker.arrivals(channel.name()) : null;
    List<AppendResult> results = arrivals == null ? null : arrivals.append(messages);
    if (results == null) {
      results = store.append(channel, messages, transaction);
      waker.wakeAfter(transaction, channel.name());
    }
    return results;
  }
}
