package dev.mailroom.storetestkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of these broken stores must fail the simulation by the given invariant. */
class SimulationCatchesMutantsTest {
  private static final int MOST_SEEDS = 200;

  static Stream<Arguments> mutants() {
    return Stream.of(
        mutant(
            "settles without a fence",
            Invariant.ONE_LEASE_HOLDER,
            Mutants.SettlesWithoutFence::new),
        mutant(
            "stores outcomes that it reports as lost",
            Invariant.ONE_LEASE_HOLDER,
            Mutants.SettlesAndReportsLost::new),
        mutant("leases a message twice", Invariant.ONE_LEASE_HOLDER, Mutants.LeasesTwice::new),
        mutant(
            "lets two workers have a group",
            Invariant.ONE_LEASE_HOLDER,
            Mutants.ForgetsGroups::new),
        mutant("reverses batches", Invariant.GROUP_ORDER, Mutants.ReversesBatches::new),
        mutant("never parks a group", Invariant.GROUP_ORDER, Mutants.NeverParks::new),
        mutant("completes retries", Invariant.NO_MESSAGE_LOST, Mutants.CompletesRetries::new),
        mutant(
            "loses what it reclaims", Invariant.NO_MESSAGE_LOST, Mutants.LosesWhatItReclaims::new),
        mutant("ignores transactions", Invariant.NO_MESSAGE_LOST, Mutants.IgnoresTransactions::new),
        mutant("never collapses", Invariant.NO_MESSAGE_LOST, Mutants.NeverCollapses::new),
        mutant("gives attempts back", Invariant.BOUNDED_ATTEMPTS, Mutants.GivesAttemptsBack::new),
        arguments(
            "never counts crashes",
            Invariant.BOUNDED_ATTEMPTS,
            (BiFunction<Store, ManualTime, Mutant>) Mutants.NeverCountsCrashes::new),
        mutant(
            "checks keys beforehand",
            Invariant.NO_DUPLICATE_KEY,
            Mutants.ChecksKeysBeforehand::new),
        mutant("ignores delays", Invariant.DUE_AND_NOT_EXPIRED, Mutants.IgnoresDelays::new),
        mutant("never makes retries due", Invariant.PROGRESS, Mutants.NeverRetries::new));
  }

  private static Arguments mutant(
      String what, Invariant invariant, Function<Store, Mutant> mutation) {
    BiFunction<Store, ManualTime, Mutant> timeless = (store, time) -> mutation.apply(store);
    return arguments(what, invariant, timeless);
  }

  @ParameterizedTest(name = "a store that {0} breaks {1}")
  @MethodSource("mutants")
  void a_broken_store_is_caught(
      String what, Invariant invariant, BiFunction<Store, ManualTime, Mutant> mutation) {
    int seed = 0;
    Invariant caught = null;
    while (caught != invariant && seed < MOST_SEEDS) {
      seed++;
      caught = brokenBy(new Simulation(SimulationOptions.of(seed), MemoryFixture.broken(mutation)));
    }

    System.out.println("A store that " + what + " was caught by " + caught + ", seed " + seed);
    assertThat(caught).isEqualTo(invariant);
  }

  private static Invariant brokenBy(Simulation simulation) {
    try {
      simulation.run();
      return null;
    } catch (SimulationFailure failure) {
      return failure.invariant();
    }
  }
}
