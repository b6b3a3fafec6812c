package dev.mailroom.benchmarks.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.benchmarks.comparison.MadeUp;
import dev.mailroom.benchmarks.comparison.results.Role;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ChartTest {

  private static Document parsed(Chart chart) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
  }

  private static Chart chart(String name, double... values) {
    List<Chart.Bar> bars =
        java.util.Arrays.stream(values)
            .mapToObj(value -> new Chart.Bar(name, Role.PEER, value, value, value))
            .toList();
    return new Chart("Title", "messages/s", List.of(new Chart.Group("group", bars)));
  }

  @Test
  void every_chart_is_well_formed_and_says_in_words_what_it_shows() throws Exception {
    for (Chart chart : new Charts(Publication.read(MadeUp.first()).merged()).all().values()) {
      Document svg = parsed(chart);
      assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
      assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
          .isEqualTo(chart.title());
      assertThat(svg.getElementsByTagName("desc").item(0).getTextContent()).contains("Mailroom");
    }
  }

  @Test
  void there_is_one_for_each_workload_and_database_with_something_to_compare() throws Exception {
    assertThat(new Charts(Publication.read(MadeUp.first()).merged()).all())
        .containsOnlyKeys(
            "drain-postgresql.svg",
            "ordered-postgresql.svg",
            "latency-postgresql.svg",
            "snapshot-postgresql.svg",
            "drain-mariadb.svg");
  }

  @Test
  void names_may_hold_anything() throws Exception {
    Document svg = parsed(chart("<Fast> & \"Loose\"", 1));

    assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
        .contains("<Fast> & \"Loose\"");
  }

  @Test
  void numbers_close_together_are_bars_from_zero() throws Exception {
    Document svg = parsed(chart("someone", 100, 50));

    assertThat(svg.getElementsByTagName("circle").getLength()).isZero();
    assertThat(width(svg, 0)).isEqualTo(2 * width(svg, 1));
  }

  private static double width(Document svg, int index) {
    return Double.parseDouble(
        svg.getElementsByTagName("rect")
            .item(index)
            .getAttributes()
            .getNamedItem("width")
            .getNodeValue());
  }

  @Test
  void numbers_far_apart_are_dots_by_powers_of_ten() throws Exception {
    Document svg = parsed(chart("someone", 100_000, 10, 0));

    assertThat(svg.getElementsByTagName("rect").getLength()).isZero();
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
    assertThat(svg.getDocumentElement().getTextContent()).contains("by powers of ten");
  }
}
