package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.Store;

/** A place for a worker: when one dies, another takes its place. */
final class WorkerSlot {
  private final World world;
  private final int number;
  private final Store store;
  private Worker worker;
  private int lives = 1;

  WorkerSlot(World world, int number, Store store) {
    this.world = world;
    this.number = number;
    this.store = store;
    this.worker = new Worker(world, "w" + number, store);
  }

  /** The worker that lives here; under the name of the former one or under another. */
  Worker worker() {
    if (worker.process.isDead()) {
      lives++;
      String name = world.random.nextBoolean() ? worker.process.name : "w" + number + "." + lives;
      world.model.note(name + " takes the place of " + worker.process.name);
      worker = new Worker(world, name, store);
    }
    return worker;
  }
}
