package dev.mailroom.storetestkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** The suite must fail for a store that breaks a rule. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContractSuiteCatchesMutantsTest {

  /** One declares all that the in-memory store can do, the other nothing of it. */
  @ParameterizedTest
  @ValueSource(classes = {MutantContract.class, MigratableContract.class})
  void a_store_that_keeps_every_rule_passes_with_nothing_skipped(Class<?> suite) {
    Events tests =
        EngineTestKit.engine("junit-jupiter").selectors(selectClass(suite)).execute().testEvents();

    assertThat(failed(tests)).isEmpty();
    tests.assertStatistics(statistics -> statistics.skipped(0).aborted(0).failed(0));
    assertThat(tests.succeeded().count()).isGreaterThan(200);
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void the_suite_fails_a_store_that_breaks_a_rule(Mutant mutant) {
    Events tests =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selector(mutant))
            .configurationParameter(MutantContract.PARAMETER, mutant.name())
            .execute()
            .testEvents();

    assertThat(refuted(tests)).containsAll(mutant.tests());
  }

  private static DiscoverySelector selector(Mutant mutant) {
    return mutant.topic() == MutantContract.class
        ? selectMethod(MutantContract.class, mutant.tests().get(0))
        : selectNestedClass(List.of(MutantContract.class), mutant.topic());
  }

  /** The names of the test methods that failed. */
  private static Set<String> failed(Events tests) {
    return names(tests.failed().stream());
  }

  /** The names of the tests that failed by an assertion, not by another exception of the mutant. */
  private static Set<String> refuted(Events tests) {
    return names(
        tests.failed().stream()
            .filter(
                event ->
                    event
                        .getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .filter(AssertionError.class::isInstance)
                        .isPresent()));
  }

  private static Set<String> names(Stream<Event> events) {
    return events
        .map(event -> event.getTestDescriptor().getSource().orElseThrow())
        .map(source -> ((MethodSource) source).getMethodName())
        .collect(Collectors.toSet());
  }
}
