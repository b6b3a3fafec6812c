package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All who were measured under one key.
 *
 * @param key what was measured
 * @param floor the best raw SQL, of the same key or of the plain drain where the key has none
 * @param ours Mailroom's best
 * @param peers the other libraries
 * @param everybody all measurements of this key, in the order in which they were taken
 */
record Race(
    Key key,
    Optional<Measurement> floor,
    Optional<Measurement> ours,
    List<Measurement> peers,
    List<Measurement> everybody) {

  /** How good the first is as a share of the second: 0.5 is half as fast, or twice as late. */
  static OptionalDouble share(Measurement one, Measurement other) {
    if (one.median() <= 0 || other.median() <= 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        one.higherIsBetter() ? one.median() / other.median() : other.median() / one.median());
  }

  /** How good this one is as a share of the floor. */
  OptionalDouble ofFloor(Measurement one) {
    return floor.isEmpty() ? OptionalDouble.empty() : share(one, floor.get());
  }

  /** Mailroom's share of the floor. */
  OptionalDouble oursOfFloor() {
    return ours.isEmpty() ? OptionalDouble.empty() : ofFloor(ours.get());
  }

  /** How many times as good Mailroom is as this peer. */
  OptionalDouble oursOf(Measurement peer) {
    return ours.isEmpty() ? OptionalDouble.empty() : share(ours.get(), peer);
  }

  Optional<Measurement> peer(String name) {
    return peers.stream().filter(peer -> peer.contender().equals(name)).findFirst();
  }
}
