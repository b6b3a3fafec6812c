package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.Store;

/** One of the cluster's workers; a dead one is replaced. */
final class WorkerSlot {
  private final SimulatedCluster cluster;
  private final int number;
  private final Store store;
  private Worker worker;
  private int workers = 1;

  WorkerSlot(SimulatedCluster cluster, int number, Store store) {
    this.cluster = cluster;
    this.number = number;
    this.store = store;
    this.worker = new Worker(cluster, "w" + number, store);
  }

  /** The live worker of this slot; a replacement has the old name or a new one. */
  Worker worker() {
    if (worker.process.isDead()) {
      workers++;
      String name =
          cluster.random.nextBoolean() ? worker.process.name : "w" + number + "." + workers;
      cluster.model.note(name + " replaces " + worker.process.name);
      worker = new Worker(cluster, name, store);
    }
    return worker;
  }
}
