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
 * The producer's view of the store. With a {@link LeasingWriter} some appends run in the process of
 * a worker, which leases the messages if it has capacity, and which may crash.
 */
final class ProducerStore extends ForwardingStore {
  private final SimulatedCluster cluster;

  ProducerStore(SimulatedCluster cluster, Store store) {
    super(store);
    this.cluster = cluster;
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    List<AppendResult> results = null;
    if (delegate() instanceof LeasingWriter
        && transaction == null
        && cluster.random.nextBoolean()) {
      int slot = cluster.random.nextInt(cluster.slots.size());
      Worker worker = cluster.slots.get(slot).worker();
      worker.run(Service.FETCH); // a worker without a backlog has capacity
      results = worker.appendLeased(messages);
    }
    return results == null ? super.append(channel, messages, transaction) : results;
  }
}
