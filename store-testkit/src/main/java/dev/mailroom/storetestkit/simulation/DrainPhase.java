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

/** The second phase: no more faults, and the workers must empty the channel. */
final class DrainPhase {
  private static final int MAX_ROUNDS = 20_000;

  /**
   * The number of idle rounds, with growing pauses, after which every lease and delay has ended.
   */
  private static final int IDLE_ROUNDS = 14;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int PAGE = 50;

  private final SimulatedCluster cluster;
  private final StoreModel model;
  private int resumptions;

  DrainPhase(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.model = cluster.model;
  }

  void run() {
    model.note("drain");
    cluster.plan.stop();
    cluster.producer.finish();
    cluster.slots.forEach(slot -> slot.worker().wakeUp());
    int idle = 0;
    int round = 0;
    do { // at least once, so that workers find out that no work is left
      if (++round > MAX_ROUNDS) {
        throw stuck();
      }
      model.log.nextStep();
      long before = model.changes();
      cluster.slots.forEach(this::runAllServices);
      idle = model.changes() == before ? idle + 1 : 0;
      pause(idle);
    } while (!isOver(idle));
    checkEndState();
  }

  private void runAllServices(WorkerSlot slot) {
    slot.worker().run(Service.SWEEP);
    slot.worker().run(Service.EXTEND);
    slot.worker().run(Service.FETCH);
    while (slot.worker().buffered() > 0) {
      slot.worker().run(Service.HANDLE);
      slot.worker().run(Service.EXTEND);
    }
    slot.worker().run(Service.SETTLE);
  }

  private void pause(int idle) {
    Duration pause = Duration.ofMillis(50L << Math.min(idle, 12));
    cluster.advance(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
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
    if (idle < IDLE_ROUNDS || resumeParkedGroups()) {
      return false;
    }
    if (open > 0) {
      throw stuck();
    }
    return true;
  }

  /** Redrives the dead heads of parked groups at the first call, discards them later. */
  private boolean resumeParkedGroups() {
    resumptions++;
    return cluster.operator.resumeParkedGroups(resumptions == 1);
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
        ? model.failure(Invariant.NO_MESSAGE_LOST, "the store lost some of these:" + left, null)
        : model.failure(Invariant.PROGRESS, "these messages are never settled:" + left, null);
  }

  private boolean isGone(SimulatedMessage message) {
    return cluster.unobservedStore() instanceof Inspectable inspectable
        && inspectable.find(cluster.channel, Target.id(message.id)) == null;
  }

  private void checkEndState() {
    model.checkers.forEach(InvariantChecker::drained);
    cluster.slots.forEach(slot -> requireNoLeases(slot.worker()));
    readDeadLetters();
    if (cluster.unobservedStore() instanceof Inspectable inspectable) {
      ChannelCounts counts = inspectable.counts(cluster.channel);
      if (counts.ready() + counts.scheduled() + counts.leased() > 0) {
        throw model.failure(Invariant.NO_MESSAGE_LOST, "the store still has " + counts, null);
      }
    }
  }

  /** An idle worker holds no leases. */
  private void requireNoLeases(Worker worker) {
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
          cluster.store.deadLetters(cluster.channel, DeadLetterFilter.all(), after, PAGE);
      page.letters().stream().map(DeadLetter::id).forEach(dead::add);
      after = page.nextCursor();
    } while (after != null);
    for (SimulatedMessage message : model.messages()) {
      if (message.isDead() && !dead.contains(message.id)) {
        throw model.failure(
            Invariant.NO_MESSAGE_LOST, message + " is missing from the dead letters", null);
      }
    }
  }
}
