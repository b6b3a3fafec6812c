package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The ratios of two runs side by side. Ratios, because the machines may differ. */
public final class Differences {
  /** Two ratios that lie further apart than this are worth a word. */
  static final double NOTABLE = 0.2;

  /**
   * One contender's ratio in both runs.
   *
   * @param race as the first run had it
   * @param contender whose ratio it is
   * @param reference whom it is held against
   * @param first its ratio in the first run
   * @param second its ratio in the second run
   */
  record Difference(Race race, String contender, String reference, double first, double second) {
    /** How far the second lies from the first, as a share of the first. */
    double change() {
      return second / first - 1;
    }

    boolean isNotable() {
      return Math.abs(change()) > NOTABLE;
    }
  }

  private final List<Difference> all = new ArrayList<>();

  /** Puts everything side by side that both have measured. */
  public Differences(Results first, Results second) {
    Races before = new Races(first);
    Races after = new Races(second);
    for (Race race : before.all()) {
      after.of(race.key()).ifPresent(other -> compare(race, other));
    }
  }

  /** Held against the floor; where there is none, against Mailroom. */
  private void compare(Race before, Race after) {
    Optional<Measurement> firstReference = before.floor().or(before::ours);
    Optional<Measurement> secondReference = after.floor().or(after::ours);
    if (firstReference.isEmpty() || secondReference.isEmpty()) {
      return;
    }
    for (Measurement one : before.everybody()) {
      if (one.equals(firstReference.get())) {
        continue;
      }
      for (Measurement other : after.everybody()) {
        if (other.contender().equals(one.contender())) {
          OptionalDouble first = Race.share(one, firstReference.get());
          OptionalDouble second = Race.share(other, secondReference.get());
          if (first.isPresent() && second.isPresent()) {
            String reference = firstReference.get().contender();
            all.add(
                new Difference(
                    before, one.contender(), reference, first.getAsDouble(), second.getAsDouble()));
          }
        }
      }
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  long notable() {
    return all.stream().filter(Difference::isNotable).count();
  }

  /** As columns for the console. */
  public String text() {
    return isEmpty() ? "The two runs have nothing in common.\n" : table().text() + "\n" + summary();
  }

  String markdown() {
    return isEmpty()
        ? "The two runs have nothing in common.\n"
        : summary() + "\n" + table().markdown();
  }

  /** In a sentence or two. */
  private String summary() {
    String most = Numbers.percent(NOTABLE);
    if (notable() == 0) {
      return "None of the " + all.size() + " ratios differs by more than " + most + ".\n";
    }
    return notable()
        + " of "
        + all.size()
        + " ratios differ by more than "
        + most
        + "; they are marked.\n";
  }

  private Table table() {
    Table table = Table.of("workload", "contender", "of", "first", "second", "change", "");
    for (Difference one : all) {
      table.row(
          Catalogue.title(one.race().key()),
          one.contender(),
          one.reference(),
          Numbers.ratio(OptionalDouble.of(one.first())),
          Numbers.ratio(OptionalDouble.of(one.second())),
          Numbers.change(one.change()),
          one.isNotable() ? "differs" : "");
    }
    return table;
  }
}
