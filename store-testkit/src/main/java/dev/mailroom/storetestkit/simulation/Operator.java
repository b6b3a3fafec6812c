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

/** Somebody who redrives and discards dead letters, cancels and moves messages. */
final class Operator {
  private final World world;
  private final DeadLetters deadLetters;
  private final Store store;

  Operator(World world, DeadLetters deadLetters, Store store) {
    this.world = world;
    this.deadLetters = deadLetters;
    this.store = store;
  }

  void act() {
    int roll = world.random.nextInt(10);
    List<SimulatedMessage> dead = dead();
    try {
      if (roll < 4 && !dead.isEmpty()) {
        deadLetters.redrive(filter(dead));
      } else if (roll < 5 && !dead.isEmpty()) {
        deadLetters.discard(some(dead));
      } else if (roll < 7) {
        cancel();
      } else if (roll < 9) {
        move();
      }
    } catch (TransientStoreException | Crash failed) {
      world.model.note("the operator failed");
    }
  }

  private DeadLetterFilter filter(List<SimulatedMessage> dead) {
    return world.random.nextInt(3) == 0 ? DeadLetterFilter.all() : some(dead);
  }

  private DeadLetterFilter some(List<SimulatedMessage> dead) {
    UUID first = pick(dead).id;
    UUID second = pick(dead).id;
    return first.equals(second) ? DeadLetterFilter.of(first) : DeadLetterFilter.of(first, second);
  }

  private void cancel() {
    List<SimulatedMessage> live = changeable();
    if (!live.isEmpty()) {
      store.cancel(world.channel, Target.id(pick(live).id));
    }
  }

  private void move() {
    List<SimulatedMessage> live = changeable();
    if (!live.isEmpty()) {
      Due later = Due.after(Duration.ofMillis(1 + world.random.nextInt(10_000)));
      store.reschedule(world.channel, Target.id(pick(live).id), later);
    }
  }

  private SimulatedMessage pick(List<SimulatedMessage> messages) {
    return messages.get(world.random.nextInt(messages.size()));
  }

  private List<SimulatedMessage> dead() {
    List<SimulatedMessage> dead = new ArrayList<>();
    world.model.messages().forEach(message -> add(dead, message, message.isDead()));
    return dead;
  }

  private List<SimulatedMessage> changeable() {
    List<SimulatedMessage> live = new ArrayList<>();
    for (SimulatedMessage message : world.model.messages()) {
      add(live, message, message.isLive() && !world.writes.isPerhapsReplaced(message));
    }
    return live;
  }

  private static void add(List<SimulatedMessage> to, SimulatedMessage message, boolean matches) {
    if (matches) {
      to.add(message);
    }
  }

  /**
   * Decides on dead messages that their groups wait for: again if there is a chance, else never.
   *
   * @return false if there are none
   */
  boolean unpark(boolean again) {
    List<SimulatedMessage> inTheWay = dead().stream().filter(this::isInTheWay).toList();
    for (SimulatedMessage message : inTheWay) {
      DeadLetterFilter one = DeadLetterFilter.of(message.id);
      if (again) {
        deadLetters.redrive(one);
      } else {
        deadLetters.discard(one);
      }
    }
    return !inTheWay.isEmpty();
  }

  private boolean isInTheWay(SimulatedMessage message) {
    return world.model.parks()
        && world.model.companions(message).stream().anyMatch(SimulatedMessage::isLive);
  }
}
