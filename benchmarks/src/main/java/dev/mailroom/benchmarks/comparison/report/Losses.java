package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Role;
import java.util.ArrayList;
import java.util.List;

/** Where somebody is better than Mailroom: found by looking at every measurement. */
final class Losses {
  /**
   * One of them.
   *
   * @param race in which it happened
   * @param ours what Mailroom has reached
   * @param winner who is better
   */
  record Loss(Race race, Measurement ours, Measurement winner) {}

  private final Races races;

  Losses(Races races) {
    this.races = races;
  }

  /** To those who have that role. */
  List<Loss> to(Role role) {
    List<Loss> losses = new ArrayList<>();
    for (Race race : races.all()) {
      List<Measurement> others = role == Role.FLOOR ? race.floor().stream().toList() : race.peers();
      for (Measurement other : others) {
        race.ours()
            .filter(ours -> isBetter(other, ours))
            .ifPresent(ours -> losses.add(new Loss(race, ours, other)));
      }
    }
    return losses;
  }

  private static boolean isBetter(Measurement one, Measurement other) {
    return one.higherIsBetter() ? one.median() > other.median() : one.median() < other.median();
  }
}
