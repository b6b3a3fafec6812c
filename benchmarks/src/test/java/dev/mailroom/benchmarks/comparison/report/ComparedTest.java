package dev.mailroom.benchmarks.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.benchmarks.comparison.MadeUp;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import dev.mailroom.benchmarks.comparison.results.Role;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparedTest {
  private static final Key LATENCY = Key.onPostgres(Names.LATENCY, Names.SAME_PROCESS_IDLE);

  private static Results with(Measurement... measurements) throws IOException {
    Results some = ResultsFile.read(MadeUp.first());
    return new Results(
        some.started(),
        some.seconds(),
        some.quick(),
        some.machine(),
        some.databases(),
        some.contenders(),
        List.of(measurements),
        some.notes());
  }

  private static Measurement latency(String contender, Double... rounds) {
    return Measurement.of(LATENCY, contender, Unit.MILLISECONDS, List.of(rounds));
  }

  @Test
  void the_middle_round_counts_and_the_spread_is_a_share_of_it() {
    Measurement odd = latency("Mailroom", 4.0, 1.0, 2.0);

    assertThat(odd.median()).isEqualTo(2);
    assertThat(odd.spread()).isEqualTo(1.5);
    assertThat(latency("Mailroom", 4.0, 1.0).median()).isEqualTo(2.5);
  }

  @Test
  void what_is_written_is_read_again(@TempDir Path directory) throws IOException {
    Results results = with(latency("Mailroom", 0.1).withExtra(Names.P99, 3).withSetup("4 threads"));
    Path file = directory.resolve("deep/results.json");

    ResultsFile.write(results, file);

    assertThat(ResultsFile.read(file)).isEqualTo(results);
  }

  @Test
  void less_is_better_where_it_is() throws IOException {
    Races races = new Races(with(latency("Mailroom", 1.0), latency("db-scheduler", 4.0)));
    Race race = races.of(LATENCY).orElseThrow();

    assertThat(race.oursOf(race.peers().get(0))).isEqualTo(OptionalDouble.of(4));
    assertThat(new Losses(races).to(Role.PEER)).isEmpty();
  }

  @Test
  void a_latency_of_nothing_has_no_ratio_but_is_a_loss_all_the_same() throws IOException {
    Races races = new Races(with(latency("Mailroom", 1.0), latency("db-scheduler", 0.0)));
    Race race = races.of(LATENCY).orElseThrow();

    assertThat(race.oursOf(race.peers().get(0))).isEmpty();
    assertThat(new Losses(races).to(Role.PEER))
        .singleElement()
        .satisfies(loss -> assertThat(loss.winner().contender()).isEqualTo("db-scheduler"));
  }

  @Test
  void order_is_held_against_the_plain_drain_of_the_same_database() throws IOException {
    Races races = new Races(ResultsFile.read(MadeUp.first()));

    assertThat(races.of(Key.onPostgres(Names.ORDERED, Names.groups(1_000))).orElseThrow().floor())
        .map(Measurement::median)
        .contains(100_000.0);
    assertThat(races.of(LATENCY).orElseThrow().floor()).isEmpty();
  }

  @Test
  void a_goal_that_is_just_missed_does_not_look_reached() {
    Goal goal = new Goal("close", 0.8, true, "of the floor", OptionalDouble.of(0.798));

    assertThat(goal.isMissed()).isTrue();
    assertThat(goal.found()).isEqualTo("0.798");
    assertThat(goal.wanted()).isEqualTo("at least 0.8 of the floor");
  }

  @Test
  void runs_with_nothing_in_common_say_so() throws IOException {
    assertThat(new Differences(with(latency("Mailroom", 1.0)), with()).text())
        .isEqualTo("The two runs have nothing in common.\n");
  }

  @Test
  void without_a_floor_others_are_held_against_mailroom() throws IOException {
    Differences differences =
        new Differences(
            with(latency("Mailroom", 1.0), latency("db-scheduler", 4.0)),
            with(latency("Mailroom", 1.0), latency("db-scheduler", 2.0)));

    assertThat(differences.text()).contains("1 of 1 ratios differ by more than 20 %", "+100 %");
  }
}
