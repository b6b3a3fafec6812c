package dev.mailroom.benchmarks.comparison.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.FloorEntry;
import dev.mailroom.benchmarks.comparison.ours.MailroomEntry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.DatabaseFacts;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
  private static final Set<String> ALONE = Set.of(Names.DELAYED, Names.TIMERS);

  @Test
  void measuresMailroomInEveryWorkloadAndTheFloorWhereItCan() throws Exception {
    Workloads workloads = new Workloads(List.of());
    Findings findings = run(workloads, List.of(), Names.POSTGRESQL);
    assertThat(findings.notes()).isEmpty();
    assertThat(findings.measurements()).allSatisfy(WorkloadsTest::isSane);
    assertThat(findings.measurements())
        .extracting(Measurement::workload)
        .containsAll(workloads.workloads());
    for (Key key : keys(findings)) {
      assertThat(contenders(findings, key))
          .as("%s", key)
          .containsExactlyInAnyOrderElementsOf(
              ALONE.contains(key.workload())
                  ? List.of(MailroomEntry.NAME)
                  : List.of(FloorEntry.NAME, MailroomEntry.NAME));
    }
  }

  @Test
  void measuresOnMariaDbToo() throws Exception {
    Findings findings =
        run(new Workloads(List.of()), List.of(Names.APPEND, Names.DRAIN), Names.MARIADB);
    assertThat(findings.notes()).isEmpty();
    assertThat(findings.measurements()).hasSize(4).allSatisfy(WorkloadsTest::isSane);
    assertThat(findings.databases()).extracting(DatabaseFacts::name).containsOnly(Names.MARIADB);
  }

  @Test
  void notesWhatBreaksAndGoesOn() throws Exception {
    Findings findings =
        run(
            new Workloads(List.of(new Forgetful(), new Repeating())),
            List.of(Names.STEADY),
            Names.POSTGRESQL);
    assertThat(findings.notes())
        .anySatisfy(note -> assertThat(note).contains(Forgetful.NAME, "is out of order"))
        .anySatisfy(note -> assertThat(note).contains(Repeating.NAME, "more than once"));
    assertThat(contenders(findings, Key.onPostgres(Names.STEADY, Names.SINGLE)))
        .containsExactlyInAnyOrder(FloorEntry.NAME, MailroomEntry.NAME);
  }

  @Test
  void measuresWithAndWithoutAHeldSnapshot() throws Exception {
    List<String> lines = new ArrayList<>();
    Findings findings = new Workloads(List.of()).snapshot(Duration.ofMillis(50), lines::add);
    assertThat(findings.notes()).isEmpty();
    assertThat(findings.measurements()).hasSize(9).allSatisfy(WorkloadsTest::isSane);
    assertThat(lines).isNotEmpty();
  }

  @Test
  void leavesOutWhoIsNotWantedButNotTheFloor() {
    Selection selection = new Selection(true, List.of(), List.of("MAIL"), List.of());
    Field field = Field.of(List.of(new Forgetful()), selection);
    assertThat(field.line(DatabaseKind.POSTGRESQL, Mode.SINGLE))
        .extracting(Entry::name)
        .containsExactly(FloorEntry.NAME, MailroomEntry.NAME);
    assertThat(field.facts())
        .extracting(ContenderFacts::name)
        .containsExactly(FloorEntry.NAME, MailroomEntry.NAME);
  }

  private static Findings run(Workloads all, List<String> workloads, String database)
      throws Exception {
    return all.run(
        TinyPlan.PLAN, new Selection(true, workloads, List.of(), List.of(database)), line -> {});
  }

  private static void isSane(Measurement measurement) {
    assertThat(measurement.median()).isFinite().isNotNegative();
    assertThat(measurement.extra().values()).allSatisfy(each -> assertThat(each).isFinite());
  }

  private static Set<Key> keys(Findings findings) {
    return findings.measurements().stream().map(Measurement::key).collect(Collectors.toSet());
  }

  private static List<String> contenders(Findings findings, Key key) {
    return findings.measurements().stream()
        .filter(each -> each.key().equals(key))
        .map(Measurement::contender)
        .toList();
  }
}
