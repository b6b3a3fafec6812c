package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** All that Mailroom is meant to reach, held against what was measured. */
final class Goals {
  private static final String OF_THE_FLOOR = "of the floor";
  private static final String RIVAL_IN_LATENCY = "transaction-outbox";

  private final Races races;

  Goals(Races races) {
    this.races = races;
  }

  List<Goal> all() {
    List<Goal> goals = new ArrayList<>();
    goals.add(ofFloor("single handlers", 0.8, Key.onPostgres(Names.DRAIN, Names.SINGLE)));
    goals.add(ofFloor("batched handlers", 0.9, Key.onPostgres(Names.DRAIN, Names.BATCHED)));
    goals.add(
        ofFloor("transactional handlers", 0.9, Key.onPostgres(Names.DRAIN, Names.TRANSACTIONAL)));
    Key thousand = Key.onPostgres(Names.ORDERED, Names.groups(1_000));
    Key hundredThousand = Key.onPostgres(Names.ORDERED, Names.groups(100_000));
    goals.add(ofFloor("in order, 1,000 groups", 0.6, thousand));
    goals.add(
        atLeast(
            "in order, 100,000 groups",
            0.8,
            "of the rate with 1,000",
            oursOfOurs(hundredThousand, thousand)));
    goals.add(
        atLeast(
            "appending and handling at once",
            0.7,
            "of the raw loops",
            ofFloor(Key.onPostgres(Names.STEADY, Names.SINGLE))));
    goals.add(latencyInOneProcess());
    goals.add(
        atMost(
            "latency across processes, idle, p50",
            5,
            "ms",
            ours(Key.onPostgres(Names.LATENCY, Names.ACROSS_PROCESSES_IDLE))));
    addSnapshot(goals, Names.UNORDERED);
    addSnapshot(goals, Names.IN_ORDER);
    OptionalDouble bytes = ours(Key.onPostgres(Names.COST, Names.WAL));
    goals.add(
        atMost(
            "write-ahead log of a message",
            1.5,
            "KiB",
            bytes.isEmpty() ? bytes : OptionalDouble.of(bytes.getAsDouble() / 1024)));
    goals.add(ofFloor("MariaDB, single handlers", 0.6, Key.onMariaDb(Names.DRAIN, Names.SINGLE)));
    return goals;
  }

  private void addSnapshot(List<Goal> goals, String order) {
    Key without = Key.onPostgres(Names.SNAPSHOT, Names.snapshot(order, Names.WITHOUT_SNAPSHOT));
    Key first = Key.onPostgres(Names.SNAPSHOT, Names.snapshot(order, Names.FIRST_MINUTE));
    Key last = Key.onPostgres(Names.SNAPSHOT, Names.snapshot(order, Names.LAST_MINUTE));
    goals.add(
        atLeast(
            "held snapshot, " + order + ", first minute",
            0.7,
            "of the rate without it",
            oursOfOurs(first, without)));
    goals.add(
        atLeast(
            "held snapshot, " + order + ", last minute",
            0.8,
            "of the first",
            oursOfOurs(last, first)));
  }

  private Goal latencyInOneProcess() {
    Optional<Race> race = races.of(Key.onPostgres(Names.LATENCY, Names.SAME_PROCESS_IDLE));
    Optional<Measurement> ours = race.flatMap(Race::ours);
    Optional<Measurement> rival = race.flatMap(one -> one.peer(RIVAL_IN_LATENCY));
    OptionalDouble seen =
        ours.isPresent() && rival.isPresent() && rival.get().median() > 0
            ? OptionalDouble.of(ours.get().median() / rival.get().median())
            : OptionalDouble.empty();
    return atMost("latency in one process, idle, p50", 0.5, "of " + RIVAL_IN_LATENCY + "'s", seen);
  }

  private Goal ofFloor(String name, double bound, Key key) {
    return atLeast(name, bound, OF_THE_FLOOR, ofFloor(key));
  }

  private OptionalDouble ofFloor(Key key) {
    Optional<Race> race = races.of(key);
    return race.isEmpty() ? OptionalDouble.empty() : race.get().oursOfFloor();
  }

  private OptionalDouble ours(Key key) {
    Optional<Measurement> ours = races.ours(key);
    return ours.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(ours.get().median());
  }

  private OptionalDouble oursOfOurs(Key one, Key other) {
    Optional<Measurement> first = races.ours(one);
    Optional<Measurement> second = races.ours(other);
    return first.isEmpty() || second.isEmpty()
        ? OptionalDouble.empty()
        : Race.share(first.get(), second.get());
  }

  private static Goal atLeast(String name, double bound, String unit, OptionalDouble seen) {
    return new Goal(name, bound, true, unit, seen);
  }

  private static Goal atMost(String name, double bound, String unit, OptionalDouble seen) {
    return new Goal(name, bound, false, unit, seen);
  }
}
