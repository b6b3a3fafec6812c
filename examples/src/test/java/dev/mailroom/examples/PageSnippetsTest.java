package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages show after {@code <!-- snippet: Example#region -->} is what was compiled and
 * tested: the lines between {@code // region:begin} and {@code // region:end} of that example.
 */
class PageSnippetsTest {
  private static final Path PAGES = Path.of("..", "docs");
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "mailroom", "examples");
  private static final Pattern MARKER = Pattern.compile("<!-- snippet: (\\w+)#(\\w+) -->");

  /**
   * A block of a page.
   *
   * @param page where it is
   * @param example the program that it comes from
   * @param region its part of the program
   * @param shown its lines
   */
  record Snippet(Path page, String example, String region, String shown) {

    @Override
    public String toString() {
      return page.getFileName() + ": " + example + "#" + region;
    }
  }

  static List<Snippet> snippets() throws IOException {
    List<Snippet> found = new ArrayList<>();
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        found.addAll(snippets(page));
      }
    }
    return found;
  }

  private static List<Snippet> snippets(Path page) throws IOException {
    List<Snippet> found = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    for (int i = 0; i < lines.size(); i++) {
      Matcher marker = MARKER.matcher(lines.get(i));
      if (marker.matches()) {
        String shown =
            lines.stream()
                .skip(i + 2)
                .takeWhile(line -> !line.equals("```"))
                .collect(Collectors.joining("\n"));
        found.add(new Snippet(page, marker.group(1), marker.group(2), shown));
      }
    }
    return found;
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void aPageShowsWhatTheExampleDoes(Snippet snippet) throws IOException {
    assertThat(snippet.shown()).as("%s", snippet).isEqualTo(source(snippet)).isNotBlank();
  }

  private static String source(Snippet snippet) throws IOException {
    return Files.readAllLines(SOURCES.resolve(snippet.example() + ".java")).stream()
        .dropWhile(line -> !line.strip().equals("// " + snippet.region() + ":begin"))
        .skip(1)
        .takeWhile(line -> !line.strip().equals("// " + snippet.region() + ":end"))
        .collect(Collectors.joining("\n"))
        .stripTrailing()
        .stripIndent();
  }
}
