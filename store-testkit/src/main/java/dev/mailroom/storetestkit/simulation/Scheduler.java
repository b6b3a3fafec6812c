package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.Worker.Service;
import java.time.Duration;
import java.util.SplittableRandom;

/** Picks the next step of the simulation at random. */
final class Scheduler {
  private static final int MAX_STEPS = 100_000;

  private final SimulatedCluster cluster;
  private final SplittableRandom random;

  Scheduler(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.random = cluster.random.split();
  }

  /** Takes steps until all messages are written and all faults are injected. */
  void runFaultPhase() {
    while (!cluster.producer.isDone() || cluster.plan.left() > 0) {
      step();
      if (cluster.model.log.step() > MAX_STEPS) {
        throw cluster.model.failure(Invariant.PROGRESS, "the fault phase does not end", null);
      }
    }
  }

  void step() {
    cluster.model.log.nextStep();
    int roll = random.nextInt(1_000);
    if (roll < 110) {
      cluster.producer.write();
    } else if (roll < 140) {
      cluster.producer.repeat();
    } else if (roll < 170) {
      cluster.producer.endOne();
    } else if (roll < 195) {
      cluster.operator.act();
    } else if (roll < 320) {
      cluster.advanceRandomly();
    } else {
      workerStep(cluster.slots.get(random.nextInt(cluster.slots.size())).worker(), roll);
    }
    cluster.model.throwIfFailed();
  }

  private void workerStep(Worker worker, int roll) {
    if (worker.isPaused()) {
      return;
    }
    if (roll < 326) {
      crash(worker);
    } else if (roll < 333) {
      drift(worker);
    } else if (roll < 345) {
      pause(worker);
    } else if (roll < 351) {
      worker.run(Service.STOP);
    } else if (roll < 530) {
      worker.run(Service.FETCH);
    } else if (roll < 740) {
      worker.run(Service.HANDLE);
    } else if (roll < 880) {
      worker.run(Service.SETTLE);
    } else if (roll < 930) {
      worker.run(Service.EXTEND);
    } else {
      worker.run(Service.SWEEP);
    }
  }

  private void crash(Worker worker) {
    if (cluster.plan.spend(Fault.CRASH)) {
      cluster.model.note(Fault.CRASH + " of " + worker.process.name);
      worker.process.die();
    }
  }

  private void drift(Worker worker) {
    if (cluster.plan.spend(Fault.CLOCK_DRIFT)) {
      Duration jump = Duration.ofSeconds(random.nextInt(-900, 900));
      cluster.model.note(Fault.CLOCK_DRIFT + " of " + worker.process.name + " by " + jump);
      worker.time.jump(jump);
    }
  }

  private void pause(Worker worker) {
    long lease = cluster.model.seeded.lease().toNanos();
    worker.pauseUntil(cluster.time.nanos() + lease / 2 + random.nextInt(2_000) * (lease / 1_000));
    cluster.model.note(worker.process.name + " pauses");
  }
}
