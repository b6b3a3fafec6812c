package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.storetestkit.simulation.Worker.Service;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store as the producer sees it. If the store can lease what it stores, then some writes are
 * made in the process of a worker, which leases them if it has room; and which may die of it.
 */
final class Front extends ForwardingStore {
  private final World world;

  Front(World world, Store store) {
    super(store);
    this.world = world;
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    List<AppendResult> results = null;
    if (delegate() instanceof LeasingWriter && transaction == null && world.random.nextBoolean()) {
      int slot = world.random.nextInt(world.slots.size());
      Worker worker = world.slots.get(slot).worker();
      worker.run(Service.FETCH); // one that knows of nothing else to do has room
      results = worker.arrive(messages);
    }
    return results == null ? super.append(channel, messages, transaction) : results;
  }
}
