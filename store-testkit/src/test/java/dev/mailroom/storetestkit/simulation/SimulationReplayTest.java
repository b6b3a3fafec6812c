package dev.mailroom.storetestkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A seed decides everything. */
class SimulationReplayTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 42, 4711, -7})
  void a_seed_gives_the_same_events_again(long seed) {
    SimulationReport first = run(SimulationOptions.of(seed));
    SimulationReport second = run(SimulationOptions.of(seed));

    assertThat(second.events()).isEqualTo(first.events());
    assertThat(second).isEqualTo(first);
  }

  @Test
  void another_seed_gives_other_events() {
    assertThat(run(SimulationOptions.of(2)).events())
        .isNotEqualTo(run(SimulationOptions.of(1)).events());
  }

  @Test
  void a_failure_replays_and_tells_how_it_came_about() {
    StoreOpener broken = MemoryFixture.broken((store, time) -> new Mutants.CompletesRetries(store));
    Simulation simulation = new Simulation(SimulationOptions.of(5), broken);

    SimulationFailure first = catchThrowableOfType(SimulationFailure.class, simulation::run);
    SimulationFailure second = catchThrowableOfType(SimulationFailure.class, simulation::run);

    assertThat(first.seed()).isEqualTo(5);
    assertThat(first)
        .hasMessageContaining("Seed 5 broke")
        .hasMessageContaining(" at step ")
        .hasMessageContaining("settle m");
    assertThat(second).hasMessage(first.getMessage());
  }

  @Test
  void a_suite_says_which_command_replays_a_failure() {
    StoreOpener broken = MemoryFixture.broken((store, time) -> new Mutants.CompletesRetries(store));
    SimulationSuite suite = new SimulationSuite("run the test", broken);

    assertThat(catchThrowableOfType(AssertionError.class, () -> suite.run(1, 10)))
        .hasMessageContaining("Replay: run the test -Dmailroom.simulation.seed=");
  }

  @Test
  void each_part_of_a_simulation_can_be_chosen() {
    SimulationOptions options =
        SimulationOptions.of(1)
            .withMessages(300)
            .withWorkers(7)
            .withGroups(2)
            .withOrdering(Ordering.REQUIRED)
            .withBatched(true)
            .withAfterDeadLetter(AfterDeadLetter.PARK)
            .withFaults(90);

    SimulationReport report = run(options);

    assertThat(report.options()).isEqualTo(options);
    assertThat(report.faultCount()).isGreaterThanOrEqualTo(90);
    assertThat(report.completed()).isPositive();
  }

  private static SimulationReport run(SimulationOptions options) {
    return new Simulation(options, MemoryFixture::open).run();
  }
}
