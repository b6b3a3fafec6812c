package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.Worker.Service;
import java.time.Duration;
import java.util.SplittableRandom;

/** Picks who does what next. */
final class Scheduler {
  private static final int MOST_STEPS = 100_000;

  private final World world;
  private final SplittableRandom random;

  Scheduler(World world) {
    this.world = world;
    this.random = world.random.split();
  }

  /** Goes on until everything is written and every fault is spent. */
  void chaos() {
    while (!world.producer.isDone() || world.plan.left() > 0) {
      step();
      if (world.model.log.step() > MOST_STEPS) {
        throw world.model.failure(Invariant.PROGRESS, "the chaos does not end", null);
      }
    }
  }

  void step() {
    world.model.log.nextStep();
    int roll = random.nextInt(1_000);
    if (roll < 110) {
      world.producer.write();
    } else if (roll < 140) {
      world.producer.repeat();
    } else if (roll < 170) {
      world.producer.endOne();
    } else if (roll < 195) {
      world.operator.act();
    } else if (roll < 320) {
      world.letTimePass();
    } else {
      workerStep(world.slots.get(random.nextInt(world.slots.size())).worker(), roll);
    }
    world.model.requireSound();
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
      worker.run(Service.KEEP);
    } else {
      worker.run(Service.SWEEP);
    }
  }

  private void crash(Worker worker) {
    if (world.plan.spend(Fault.CRASH)) {
      world.model.note(Fault.CRASH + " of " + worker.process.name);
      worker.process.die();
    }
  }

  private void drift(Worker worker) {
    if (world.plan.spend(Fault.CLOCK_DRIFT)) {
      Duration jump = Duration.ofSeconds(random.nextInt(-900, 900));
      world.model.note(Fault.CLOCK_DRIFT + " of " + worker.process.name + " by " + jump);
      worker.time.jump(jump);
    }
  }

  private void pause(Worker worker) {
    long lease = world.model.tuning.lease().toNanos();
    worker.pauseUntil(world.time.nanos() + lease / 2 + random.nextInt(2_000) * (lease / 1_000));
    world.model.note(worker.process.name + " pauses");
  }
}
