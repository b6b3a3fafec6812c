package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the README shows is what was compiled and tested. */
class ReadmeSnippetTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path SOURCE =
      Path.of("src", "main", "java", "dev", "mailroom", "examples", "Quickstart.java");
  private static final String MARKER = "<!-- snippet: Quickstart -->";

  @Test
  void theQuickstartFitsOnAScreen() throws IOException {
    assertThat(quickstart().lines().count()).isBetween(20L, 50L);
  }

  @Test
  void theReadmeShowsTheQuickstart() throws IOException {
    assertThat(README).as("the README").isRegularFile();
    assertThat(snippet(Files.readAllLines(README)))
        .as("the ```java block after %s in README.md; copy it from %s", MARKER, SOURCE)
        .isEqualTo(quickstart());
  }

  private static String snippet(List<String> readme) {
    assertThat(readme).as("README.md has the line %s", MARKER).contains(MARKER);
    List<String> rest = readme.subList(readme.indexOf(MARKER) + 1, readme.size());
    assertThat(rest).as("%s is followed by ```java", MARKER).startsWith("```java");
    assertThat(rest).as("the ```java block is closed").contains("```");
    return String.join("\n", rest.subList(1, rest.indexOf("```")));
  }

  private static String quickstart() throws IOException {
    return between(Files.readAllLines(SOURCE)).stripIndent().strip();
  }

  private static String between(List<String> source) {
    return source.stream()
        .dropWhile(line -> !line.strip().equals("// quickstart:begin"))
        .skip(1)
        .takeWhile(line -> !line.strip().equals("// quickstart:end"))
        .collect(Collectors.joining("\n"));
  }
}
