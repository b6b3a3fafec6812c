package dev.mailroom.storetestkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The engine over the in-memory store, with injected faults. A thousand seeds run in the normal
 * build. More of them:
 *
 * <pre>
 * mvn -Pquick -pl store-testkit -am test -Dtest=SimulationTest \
 *     -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.simulation.seeds=100000 [-Dmailroom.simulation.first=1001]
 * </pre>
 */
class SimulationTest {
  private static final int SEEDS = 1_000;
  private static final String COMMAND =
      "mvn -Pquick -pl store-testkit -am test -Dtest=SimulationTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void nothing_breaks_whatever_goes_wrong() {
    SimulationSummary summary = new SimulationSuite(COMMAND, MemoryFixture::open).run(SEEDS);

    System.out.println(summary);
    assertThat(summary.fewestMessages()).isGreaterThanOrEqualTo(200);
    assertThat(summary.fewestWorkers()).isGreaterThanOrEqualTo(3);
    assertThat(summary.fewestFaults()).isGreaterThanOrEqualTo(20);
    assertThat(summary.lateCommits().missed())
        .as("claims that had room for a message that was committed late, and did not find it")
        .isZero();
    if (summary.runs() >= SEEDS) {
      assertEveryFaultHappened(summary);
    }
  }

  private static void assertEveryFaultHappened(SimulationSummary summary) {
    assertThat(summary.lateCommits().count()).isPositive();
    for (Fault fault : Fault.values()) {
      assertThat(summary.count(fault)).as("%s", fault).isGreaterThanOrEqualTo(SEEDS);
    }
  }
}
