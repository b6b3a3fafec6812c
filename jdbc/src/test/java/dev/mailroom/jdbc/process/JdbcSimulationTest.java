package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.storetestkit.simulation.SimulationSuite;
import dev.mailroom.storetestkit.simulation.SimulationSummary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The engine over the JDBC store, in a world where everything goes wrong. A few seeds of each
 * database run in the normal build. More of them, on all or on one:
 *
 * <pre>
 * mvn -Pquick -pl jdbc -am test -Dtest=JdbcSimulationTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.simulation.seeds=1000 [-Dmailroom.simulation.first=101]
 * </pre>
 */
class JdbcSimulationTest {
  private static final String COMMAND =
      "mvn -Pquick -pl jdbc -am test -Dtest=JdbcSimulationTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @ParameterizedTest
  @CsvSource({"H2, 4", "POSTGRES, 6", "SQLITE, 4"})
  void nothing_breaks_whatever_goes_wrong(Product product, int seeds) {
    SimulationSummary summary =
        new SimulationSuite(
                COMMAND, random -> new SimulatedNodes(product, !product.holdsOthersUp()))
            .run(seeds);

    System.out.println(product + ": " + summary);
    assertThat(summary.fewestMessages()).isGreaterThanOrEqualTo(200);
    assertThat(summary.fewestFaults()).isGreaterThanOrEqualTo(20);
    if (product == Product.POSTGRES) {
      assertThat(summary.leasedOnAppend()).as("messages that came leased").isPositive();
    }
  }
}
