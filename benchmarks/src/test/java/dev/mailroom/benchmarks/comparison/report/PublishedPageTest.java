package dev.mailroom.benchmarks.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** If it fails: ./mailroom bench page writes the page and its charts anew. */
class PublishedPageTest {
  private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");
  private static final Path CHARTS = DOCS.resolve(Page.CHARTS);

  private static Publication published() throws IOException {
    return Publication.read(CHARTS.resolve(Publication.FIRST));
  }

  @Test
  void the_committed_page_is_what_the_committed_runs_give() throws IOException {
    assertThat(Files.readString(DOCS.resolve(Page.NAME))).isEqualTo(Page.of(published()));
  }

  @Test
  void the_committed_charts_are_what_the_committed_runs_give() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    new Charts(published().merged())
        .all()
        .forEach((file, chart) -> expected.put(file, chart.svg()));

    Map<String, String> committed = new TreeMap<>();
    try (Stream<Path> files = Files.list(CHARTS)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".svg")).toList()) {
        committed.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertThat(committed).isEqualTo(expected);
  }
}
