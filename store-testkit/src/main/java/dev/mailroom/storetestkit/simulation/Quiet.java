package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.storetestkit.simulation.Worker.Service;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** The end: no more faults, and the world must come to rest with nothing left to do. */
final class Quiet {
  private static final int MOST_ROUNDS = 20_000;

  /** After so many rounds of growing pauses no lease, delay or back-off can still be running. */
  private static final int IDLE_ROUNDS = 14;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int PAGE = 50;

  private final World world;
  private final Model model;
  private int decisions;

  Quiet(World world) {
    this.world = world;
    this.model = world.model;
  }

  void comeToRest() {
    model.note("quiet");
    world.plan.beQuiet();
    world.producer.finish();
    world.slots.forEach(slot -> slot.worker().wakeUp());
    int idle = 0;
    int round = 0;
    do { // at least once: nothing may be left to do, but workers do not know that yet
      if (++round > MOST_ROUNDS) {
        throw stuck();
      }
      model.log.nextStep();
      long before = model.changes();
      world.slots.forEach(this::turn);
      idle = model.changes() == before ? idle + 1 : 0;
      pause(idle);
    } while (!isOver(idle));
    lookAtEverything();
  }

  private void turn(WorkerSlot slot) {
    slot.worker().run(Service.SWEEP);
    slot.worker().run(Service.KEEP);
    slot.worker().run(Service.FETCH);
    while (slot.worker().buffered() > 0) {
      slot.worker().run(Service.HANDLE);
      slot.worker().run(Service.KEEP);
    }
    slot.worker().run(Service.SETTLE);
  }

  private void pause(int idle) {
    Duration pause = Duration.ofMillis(50L << Math.min(idle, 12));
    world.advance(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
  }

  private boolean isOver(int idle) {
    int open = 0;
    int uncertain = 0;
    for (SimulatedMessage message : model.messages()) {
      if (message.isLive()) {
        open += message.perhapsCollapsed ? 0 : 1;
        uncertain += message.perhapsCollapsed ? 1 : 0;
      }
    }
    if (open + uncertain == 0) {
      return true;
    }
    if (idle < IDLE_ROUNDS || decide()) {
      return false;
    }
    if (open > 0) {
      throw stuck();
    }
    return true;
  }

  /** Groups wait for somebody to decide: first everything is tried once more. */
  private boolean decide() {
    decisions++;
    return world.operator.unpark(decisions == 1);
  }

  private SimulationFailure stuck() {
    StringBuilder left = new StringBuilder();
    boolean gone = false;
    for (SimulatedMessage message : model.messages()) {
      if (message.isLive() && !message.perhapsCollapsed) {
        left.append(' ').append(message);
        gone |= isGone(message);
      }
    }
    return gone
        ? model.failure(Invariant.NOTHING_LOST, "the store lost some of these:" + left, null)
        : model.failure(Invariant.PROGRESS, "these are never done:" + left, null);
  }

  private boolean isGone(SimulatedMessage message) {
    return world.storeItself() instanceof Inspectable inspectable
        && inspectable.find(world.channel, Target.id(message.id)) == null;
  }

  private void lookAtEverything() {
    model.checkers.forEach(Checker::atRest);
    world.slots.forEach(slot -> requireFree(slot.worker()));
    readDeadLetters();
    if (world.storeItself() instanceof Inspectable inspectable) {
      ChannelCounts counts = inspectable.counts(world.channel);
      if (counts.ready() + counts.scheduled() + counts.leased() > 0) {
        throw model.failure(Invariant.NOTHING_LOST, "the store still has " + counts, null);
      }
    }
  }

  /** A worker that has done everything keeps nothing in mind. */
  private void requireFree(Worker worker) {
    if (worker.holdsLeases()) {
      String what = worker.process.name + " believes that it still holds leases";
      throw model.failure(Invariant.PROGRESS, what, null);
    }
  }

  private void readDeadLetters() {
    Set<UUID> dead = new HashSet<>();
    String after = null;
    do {
      DeadLetterPage page =
          world.store.deadLetters(world.channel, DeadLetterFilter.all(), after, PAGE);
      page.letters().stream().map(DeadLetter::id).forEach(dead::add);
      after = page.nextCursor();
    } while (after != null);
    for (SimulatedMessage message : model.messages()) {
      if (message.isDead() && !dead.contains(message.id)) {
        throw model.failure(
            Invariant.NOTHING_LOST, message + " is missing from the dead letters", null);
      }
    }
  }
}
