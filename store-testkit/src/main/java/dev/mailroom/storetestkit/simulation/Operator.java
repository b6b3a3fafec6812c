package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A simulated operator: redrives and discards dead letters, cancels and reschedules messages. */
final class Operator {
  private final SimulatedCluster cluster;
  private final DeadLetters deadLetters;
  private final Store store;

  Operator(SimulatedCluster cluster, DeadLetters deadLetters, Store store) {
    this.cluster = cluster;
    this.deadLetters = deadLetters;
    this.store = store;
  }

  void act() {
    int roll = cluster.random.nextInt(10);
    List<SimulatedMessage> dead = dead();
    try {
      if (roll < 4 && !dead.isEmpty()) {
        deadLetters.redrive(filter(dead));
      } else if (roll < 5 && !dead.isEmpty()) {
        deadLetters.discard(some(dead));
      } else if (roll < 7) {
        cancel();
      } else if (roll < 9) {
        reschedule();
      }
    } catch (TransientStoreException | SimulatedCrash failed) {
      cluster.model.note("the operator failed");
    }
  }

  private DeadLetterFilter filter(List<SimulatedMessage> dead) {
    return cluster.random.nextInt(3) == 0 ? DeadLetterFilter.all() : some(dead);
  }

  private DeadLetterFilter some(List<SimulatedMessage> dead) {
    UUID first = pick(dead).id;
    UUID second = pick(dead).id;
    return first.equals(second) ? DeadLetterFilter.of(first) : DeadLetterFilter.of(first, second);
  }

  private void cancel() {
    List<SimulatedMessage> live = changeable();
    if (!live.isEmpty()) {
      store.cancel(cluster.channel, Target.id(pick(live).id));
    }
  }

  private void reschedule() {
    List<SimulatedMessage> live = changeable();
    if (!live.isEmpty()) {
      Due later = Due.after(Duration.ofMillis(1 + cluster.random.nextInt(10_000)));
      store.reschedule(cluster.channel, Target.id(pick(live).id), later);
    }
  }

  private SimulatedMessage pick(List<SimulatedMessage> messages) {
    return messages.get(cluster.random.nextInt(messages.size()));
  }

  private List<SimulatedMessage> dead() {
    List<SimulatedMessage> dead = new ArrayList<>();
    cluster.model.messages().forEach(message -> add(dead, message, message.isDead()));
    return dead;
  }

  private List<SimulatedMessage> changeable() {
    List<SimulatedMessage> live = new ArrayList<>();
    for (SimulatedMessage message : cluster.model.messages()) {
      add(live, message, message.isLive() && !cluster.writes.isPerhapsReplaced(message));
    }
    return live;
  }

  private static void add(List<SimulatedMessage> to, SimulatedMessage message, boolean matches) {
    if (matches) {
      to.add(message);
    }
  }

  /**
   * Redrives or discards the dead messages that block parked groups.
   *
   * @return false if no group is parked
   */
  boolean resumeParkedGroups(boolean redrive) {
    List<SimulatedMessage> blocking = dead().stream().filter(this::blocksGroup).toList();
    for (SimulatedMessage message : blocking) {
      DeadLetterFilter one = DeadLetterFilter.of(message.id);
      if (redrive) {
        deadLetters.redrive(one);
      } else {
        deadLetters.discard(one);
      }
    }
    return !blocking.isEmpty();
  }

  private boolean blocksGroup(SimulatedMessage message) {
    return cluster.model.parksGroups()
        && cluster.model.groupMembers(message).stream().anyMatch(SimulatedMessage::isLive);
  }
}
