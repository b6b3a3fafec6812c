package dev.mailroom.engine;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A store whose appends wait at a gate until the test opens it. */
final class GatedStore extends ForwardingStore {
  final CountDownLatch gate = new CountDownLatch(1);
  final List<Integer> appends = new CopyOnWriteArrayList<>();

  GatedStore(Store delegate) {
    super(delegate);
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, Transaction transaction) {
    appends.add(messages.size());
    if (gate.getCount() > 0) { // an interrupted caller passes an open gate
      Await.latch(gate);
    }
    return super.append(channel, messages, transaction);
  }
}
