package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.Role;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The measurements of one run, put beside each other. */
final class Races {
  /**
   * Mailroom does more there than raw SQL could: it is held against the plain drain all the same.
   */
  private static final Set<String> HELD_AGAINST_THE_DRAIN = Set.of(Names.DRAIN, Names.ORDERED);

  private final Map<String, Role> roles;
  private final Map<Key, Race> races = new LinkedHashMap<>();

  Races(Results results) {
    roles =
        results.contenders().stream()
            .collect(Collectors.toMap(ContenderFacts::name, ContenderFacts::role));
    Map<Key, List<Measurement>> keys =
        results.measurements().stream()
            .collect(
                Collectors.groupingBy(Measurement::key, LinkedHashMap::new, Collectors.toList()));
    keys.forEach((key, everybody) -> races.put(key, race(key, everybody, keys)));
  }

  private Race race(Key key, List<Measurement> everybody, Map<Key, List<Measurement>> keys) {
    Optional<Measurement> floor = best(everybody, Role.FLOOR);
    if (floor.isEmpty() && HELD_AGAINST_THE_DRAIN.contains(key.workload())) {
      Key drain = new Key(Names.DRAIN, Names.SINGLE, key.database());
      floor = best(keys.getOrDefault(drain, List.of()), Role.FLOOR);
    }
    return new Race(
        key,
        floor,
        best(everybody, Role.OURS),
        everybody.stream().filter(one -> role(one) == Role.PEER).toList(),
        everybody);
  }

  private Optional<Measurement> best(List<Measurement> among, Role role) {
    Comparator<Measurement> byMedian = Comparator.comparingDouble(Measurement::median);
    List<Measurement> candidates = among.stream().filter(one -> role(one) == role).toList();
    boolean higherIsBetter = candidates.stream().allMatch(Measurement::higherIsBetter);
    return candidates.stream().max(higherIsBetter ? byMedian : byMedian.reversed());
  }

  /** What this contender is; one that nobody has introduced is a peer. */
  Role role(Measurement measurement) {
    return roles.getOrDefault(measurement.contender(), Role.PEER);
  }

  /** All of them: PostgreSQL first, then in the order of the page. */
  List<Race> all() {
    return races.values().stream()
        .sorted(
            Comparator.comparing((Race race) -> !race.key().database().equals(Names.POSTGRESQL))
                .thenComparing(race -> Catalogue.position(race.key().workload())))
        .toList();
  }

  Optional<Race> of(Key key) {
    return Optional.ofNullable(races.get(key));
  }

  /** Mailroom's best under this key. */
  Optional<Measurement> ours(Key key) {
    return of(key).flatMap(Race::ours);
  }
}
