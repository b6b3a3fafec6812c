package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Role;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A chart as SVG: a line for everyone, grouped by variant. In even steps it has bars from zero, by
 * powers of ten it has dots, because a bar without a zero means nothing; a thin line goes from the
 * lowest round to the highest.
 *
 * @param title what it shows
 * @param unit of the numbers, and which ones are better
 * @param groups the variants
 */
record Chart(String title, String unit, List<Group> groups) {
  /**
   * Those who are compared.
   *
   * @param title the variant
   * @param bars everyone
   */
  record Group(String title, List<Bar> bars) {}

  /**
   * One of them.
   *
   * @param name who
   * @param role decides the colour
   * @param value the median
   * @param low the lowest round
   * @param high the highest round
   */
  record Bar(String name, Role role, double value, double low, double high) {}

  private static final int WIDTH = 720;
  private static final int LEFT = 180;
  private static final int PLOT = 430;
  private static final int LINE = 20;
  private static final int TOP = 52;

  private static final String STYLE =
      """
      <style>
      text{font:12px system-ui,sans-serif;fill:#1f2328}
      .title{font-size:15px;font-weight:600}
      .group{font-weight:600}
      .quiet{fill:#59636e}
      .grid{stroke:#d1d9e0}
      .range{stroke:#1f2328;stroke-width:1.5}
      .ours{fill:#0969da}
      .peer{fill:#bf8700}
      .floor{fill:#818b98}
      @media(prefers-color-scheme:dark){
      text{fill:#f0f6fc}
      .quiet{fill:#9198a1}
      .grid{stroke:#3d444d}
      .range{stroke:#f0f6fc}
      .ours{fill:#4493f8}
      .peer{fill:#d29922}
      }
      </style>
      """;

  private static final int LABEL_DROP = 4;

  String svg() {
    Axis axis =
        Axis.over(
            groups.stream()
                .flatMap(group -> group.bars().stream())
                .flatMap(bar -> List.of(bar.low(), bar.value(), bar.high()).stream())
                .toList());
    int lines = groups.stream().mapToInt(group -> group.bars().size() + 1).sum();
    int bottom = TOP + lines * LINE;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" viewBox=\"0 0 %d %d\""
            .formatted(WIDTH, WIDTH, bottom + 28));
    svg.append(" role=\"img\" aria-labelledby=\"title desc\">\n");
    svg.append("<title id=\"title\">%s</title>\n".formatted(escaped(title)));
    svg.append("<desc id=\"desc\">%s</desc>\n".formatted(escaped(description())));
    svg.append(STYLE);
    text(svg, "title", 8, 20, "start", title);
    String scale = axis.isLogarithmic() ? unit + ", by powers of ten" : unit;
    text(svg, "quiet", 8, 38, "start", scale);
    for (double mark : axis.marks()) {
      grid(svg, axis, mark, bottom);
    }
    int y = TOP;
    for (Group group : groups) {
      text(svg, "group", 8, y + 14, "start", group.title());
      y += LINE;
      for (Bar bar : group.bars()) {
        line(svg, axis, bar, y);
        y += LINE;
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private static void grid(StringBuilder svg, Axis axis, double mark, int bottom) {
    double x = x(axis, mark);
    svg.append(format("<path class=\"grid\" d=\"M%.1f %dV%d\"/>\n", x, TOP + LABEL_DROP, bottom));
    text(svg, "quiet", x, bottom + 16, "middle", Numbers.mark(mark));
  }

  private static void line(StringBuilder svg, Axis axis, Bar bar, int y) {
    String role = bar.role().name().toLowerCase(Locale.ROOT);
    int middle = y + LINE / 2;
    double end = x(axis, bar.value());
    text(svg, "", LEFT - 8, middle + LABEL_DROP, "end", bar.name());
    if (axis.isLogarithmic()) {
      svg.append(
          format("<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>\n", role, end, middle));
    } else {
      svg.append(
          format(
              "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"12\"/>\n",
              role, LEFT, middle - 6, end - LEFT));
    }
    svg.append(
        format(
            "<path class=\"range\" d=\"M%.1f %dH%.1f\"/>\n",
            x(axis, bar.low()), middle, x(axis, bar.high())));
    text(svg, "", WIDTH - 8, middle + LABEL_DROP, "end", Numbers.plain(bar.value()));
  }

  private static double x(Axis axis, double number) {
    return LEFT + axis.place(number) * PLOT;
  }

  private static void text(
      StringBuilder svg, String kind, double x, int y, String anchor, String text) {
    String classes = kind.isEmpty() ? "" : " class=\"" + kind + "\"";
    svg.append(
        format(
            "<text%s x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n",
            classes, x, y, anchor, escaped(text)));
  }

  /** All of it in words, for those who cannot see it. */
  private String description() {
    return unit
        + ". "
        + groups.stream()
            .map(
                group ->
                    group.title()
                        + ": "
                        + group.bars().stream()
                            .map(bar -> bar.name() + " " + Numbers.plain(bar.value()))
                            .collect(Collectors.joining(", ")))
            .collect(Collectors.joining("; "))
        + ".";
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
