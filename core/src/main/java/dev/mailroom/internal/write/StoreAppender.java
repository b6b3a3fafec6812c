package dev.mailroom.internal.write;

import dev.mailroom.internal.engine.LeasedAppends;
import dev.mailroom.internal.engine.Waker;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages to the store: leased in the same call if workers of this process are idle,
 * otherwise followed by a wake-up.
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
    LeasedAppends leasedAppends = transaction == null ? waker.leasedAppends(channel.name()) : null;
    List<AppendResult> results = leasedAppends == null ? null : leasedAppends.append(messages);
    if (results == null) {
      results = store.append(channel, messages, transaction);
      waker.wakeAfter(transaction, channel.name());
    }
    return results;
  }
}
