package dev.mailroom.benchmarks.comparison.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.benchmarks.comparison.MadeUp;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Results madeUp;

  @BeforeEach
  void read() throws IOException {
    madeUp = ResultsFile.read(MadeUp.first());
  }

  private int bench(String... arguments) {
    CommandLine line = Bench.commandLine(new Replay(madeUp));
    line.setOut(console(out)).setErr(console(err));
    return line.execute(arguments);
  }

  /** One that holds back what is not flushed, as the real one does. */
  private static PrintWriter console(StringWriter target) {
    return new PrintWriter(new BufferedWriter(target), true);
  }

  @Test
  void a_run_shows_progress_and_ratios_before_figures_and_keeps_both() throws IOException {
    assertThat(bench("--quick", "--out", directory.toString())).isZero();

    assertThat(out.toString())
        .containsPattern("\\[\\d\\d:\\d\\d of about 38:00] drain, single: Mailroom")
        .containsSubsequence("Goals", "Shares of the floor", "multiple of each peer", "Figures");
    Results kept = ResultsFile.read(directory.resolve("results.json"));
    assertThat(kept.quick()).isTrue();
    assertThat(kept.measurements()).isEqualTo(madeUp.measurements());
    assertThat(kept.machine().cores()).isPositive();
    assertThat(directory.resolve("drain-postgresql.svg")).exists();
  }

  @Test
  void a_second_run_replaces_nothing() throws IOException {
    bench("--out", directory.toString());
    byte[] first = Files.readAllBytes(directory.resolve("results.json"));
    bench("--out", directory.toString(), "--only", "latency");

    assertThat(directory.resolve("results.json")).hasBinaryContent(first);
    assertThat(ResultsFile.read(directory.resolve("results-2.json")).measurements())
        .extracting(Measurement::workload)
        .containsOnly("latency");
  }

  @Test
  void all_wrong_names_are_told_at_once() {
    int exitCode = bench("--only", "drain,swim", "--contender", "MAIL,quartz", "--database", "db2");

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .contains("--only 'swim' is none of those that there are: drain, ordered")
        .contains("--contender 'quartz' is none")
        .contains("--database 'db2' is none of those that there are: postgresql, mariadb")
        .doesNotContain("'drain'", "'MAIL'");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void a_url_of_another_database_is_a_wrong_command_line() {
    assertThat(bench("--url", "jdbc:oracle:thin:@host")).isEqualTo(2);
    assertThat(err.toString()).contains("--url must begin with jdbc:postgresql:");
  }

  @Test
  void a_url_and_another_database_are_a_wrong_command_line() {
    assertThat(bench("--url", "jdbc:mariadb://localhost/x?user=u", "--database", "postgresql"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("names a server of mariadb: leave --database out");
  }

  @Test
  void an_unknown_option_is_a_wrong_command_line() {
    assertThat(bench("--fast")).isEqualTo(2);
    assertThat(err.toString()).contains("--fast");
  }

  @Test
  void a_snapshot_must_have_a_first_and_a_last_minute() {
    assertThat(bench("snapshot", "--minutes", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("--minutes 1 is too short");
  }

  @Test
  void the_snapshot_is_kept_in_a_file_of_its_own() throws IOException {
    assertThat(bench("snapshot", "--out", directory.toString())).isZero();

    assertThat(ResultsFile.read(directory.resolve("snapshot.json")).measurements()).isNotEmpty();
  }

  @Test
  void the_page_is_written_with_the_charts_it_shows_and_no_others() throws IOException {
    Path charts = Files.createDirectories(directory.resolve("benchmarks"));
    Files.writeString(charts.resolve("former.svg"), "<svg/>");

    assertThat(bench("page", MadeUp.first().toString(), "--docs", directory.toString())).isZero();

    String page = Files.readString(directory.resolve("benchmarks.md"));
    try (Stream<Path> written = Files.list(charts)) {
      assertThat(written)
          .isNotEmpty()
          .allSatisfy(chart -> assertThat(page).contains("(benchmarks/" + chart.getFileName()));
    }
  }

  @Test
  void two_runs_are_compared() {
    assertThat(bench("compare", MadeUp.first().toString(), MadeUp.second().toString())).isZero();
    assertThat(out.toString()).contains("0.85", "0.60", "−30 %", "1 of 9 ratios differ");
  }

  @Test
  void a_file_that_is_missing_or_holds_something_else_is_named() throws IOException {
    Path other = Files.writeString(directory.resolve("other.json"), "{\"hello\": 1}");

    assertThat(bench("page", directory.resolve("none.json").toString())).isEqualTo(1);
    assertThat(bench("compare", MadeUp.first().toString(), other.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("There is no file " + directory.resolve("none.json"))
        .contains(other + " does not hold results of a comparison");
  }
}
