package dev.mailroom.benchmarks.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.benchmarks.comparison.MadeUp;
import dev.mailroom.benchmarks.comparison.results.MachineFacts;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageTest {

  @Test
  void says_of_every_goal_whether_it_is_reached() throws IOException {
    assertThat(Page.of(Publication.read(MadeUp.first())))
        .contains(
            "| single handlers | at least 0.8 of the floor | 0.85 | reached |",
            "| batched handlers | at least 0.9 of the floor | 0.75 | missed |",
            "| transactional handlers | at least 0.9 of the floor | – | not measured |",
            "| in order, 1,000 groups | at least 0.6 of the floor | 0.600 | reached |",
            "| in order, 100,000 groups | at least 0.8 of the rate with 1,000 | 0.75 | missed |",
            "| latency in one process, idle, p50 | at most 0.5 of transaction-outbox's | 1.33 |",
            "| latency across processes, idle, p50 | at most 5 ms | 4.10 | reached |",
            "| write-ahead log of a message | at most 1.5 KiB | 1.00 | reached |",
            "| MariaDB, single handlers | at least 0.6 of the floor | 0.40 | missed |");
  }

  @Test
  void merges_the_held_snapshot() throws IOException {
    assertThat(Page.of(Publication.read(MadeUp.first())))
        .contains(
            "| held snapshot, unordered, last minute | at least 0.8 of the first | 0.50 | missed |",
            "The held snapshot was measured on 2000-01-03");
  }

  @Test
  void puts_ratios_before_figures() throws IOException {
    assertThat(Page.of(Publication.read(MadeUp.first())))
        .containsSubsequence(
            "## Ratios",
            "| Drain, single | 0.85 | 0.017 | 0.005 |",
            "| Drain, single | 51.5× | 177× |",
            "## Figures",
            "| single | Mailroom | 85,000 | messages/s | 2 % | 3 | 4 threads, batch 500 |");
  }

  @Test
  void lists_where_mailroom_loses() throws IOException {
    String page = Page.of(Publication.read(MadeUp.first()));

    assertThat(page.substring(page.indexOf("## Where Mailroom loses"), page.indexOf("## Figures")))
        .contains(
            "| batched handlers | at least 0.9 of the floor | 0.75 |",
            "| Latency, same process, idle | transaction-outbox | 1.20 | 1.60 | ms | 1.33× |",
            "| Drain, batched | Raw SQL | 100,000 | 75,000 | messages/s | 1.33× |")
        .doesNotContain("db-scheduler", "across processes", "| single handlers");
  }

  @Test
  void says_where_a_second_run_differs_by_more_than_a_fifth() throws IOException {
    assertThat(Page.of(Publication.read(MadeUp.first())))
        .contains(
            "1 of 9 ratios differ by more than 20 %",
            "| Drain, single | Mailroom | Raw SQL | 0.85 | 0.60 | −30 % | differs |",
            "| Drain, single | db-scheduler | Raw SQL | 0.017 | 0.017 | +0 % |  |");
  }

  @Test
  void a_run_on_a_stock_server_is_held_against_the_first() throws IOException {
    Publication two = Publication.read(MadeUp.first());
    Results stock = two.others().get(0);

    assertThat(
            Page.of(new Publication(two.first(), List.of(), Optional.empty(), Optional.of(stock))))
        .contains(
            "## On a stock server",
            "as the distribution's package installs it",
            "| Drain, single | Mailroom | Raw SQL | 0.85 | 0.60 | −30 % | differs |");
  }

  @Test
  void a_single_run_without_a_snapshot_is_a_page_as_well() throws IOException {
    Results first = ResultsFile.read(MadeUp.first());

    assertThat(Page.of(new Publication(first, List.of(), Optional.empty(), Optional.empty())))
        .contains("## Ratios", "| held snapshot, unordered, first minute |")
        .doesNotContain("## Run again", "The held snapshot was measured", "## On a stock server");
  }

  @Test
  void warns_of_a_quick_run_and_of_a_busy_machine() throws IOException {
    Results full = ResultsFile.read(MadeUp.first());
    MachineFacts idle = full.machine();
    MachineFacts busy =
        new MachineFacts(
            idle.processor(),
            idle.cores(),
            idle.memory(),
            idle.system(),
            idle.java(),
            idle.heap(),
            0.9);
    Results quick =
        new Results(
            full.started(),
            full.seconds(),
            true,
            busy,
            full.databases(),
            full.contenders(),
            full.measurements(),
            full.notes());

    assertThat(Page.of(new Publication(quick, List.of(), Optional.empty(), Optional.empty())))
        .contains("**This was a quick run", "**Others used 90 % of the processors")
        .contains("| single handlers | at least 0.8 of the floor | 0.85 | no verdict |")
        .doesNotContain("| reached |", "| missed |\n");
    assertThat(Page.of(new Publication(full, List.of(), Optional.empty(), Optional.empty())))
        .doesNotContain("This was a quick run", "Others used");
  }

  @Test
  void has_no_blanks_at_the_ends_of_lines_and_one_newline_at_its_end() throws IOException {
    String page = Page.of(Publication.read(MadeUp.first()));

    assertThat(page.lines()).noneMatch(line -> line.endsWith(" "));
    assertThat(page).endsWith("\n").doesNotEndWith("\n\n");
  }
}
