package dev.mailroom.architecture.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Sources and pages use the vocabulary of databases and messaging, and none of their own. */
class WordTest {
  /** The JDBC store still has names of its own, and these two are written for it. */
  private static final Set<String> LATER_MODULES = Set.of("jdbc", "databases", "benchmarks");

  private static final Pattern CODE = Pattern.compile("`[^`\n]+`");

  @Test
  void sourcesAndPagesContainNoForbiddenWord() throws IOException {
    WordList list = WordList.ofTheRepository();
    List<String> findings = new ArrayList<>();
    for (Path file : checked()) {
      findings.addAll(list.findings(Repository.name(file), text(file)));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void sourcesOfEveryKindAndPagesAreChecked() throws IOException {
    assertThat(checked().stream().map(Repository::name))
        .contains(
            "README.md",
            "CONTRIBUTING.md",
            "docs/glossary.md",
            "docs/stores/postgresql.md",
            "core/src/main/java/dev/mailroom/Mailroom.java",
            "architecture/src/test/java/dev/mailroom/architecture/words/WordTest.java")
        .doesNotContain("docs/benchmarks.md", "CHANGELOG.md");
    assertThat(Repository.modules()).containsAll(LATER_MODULES);
  }

  /** Without what a page quotes as code: names of types and tables are checked where they are. */
  private static String text(Path file) throws IOException {
    String text = Files.readString(file);
    return file.toString().endsWith(".md") ? CODE.matcher(text).replaceAll("``") : text;
  }

  private static List<Path> checked() throws IOException {
    List<Path> files = new ArrayList<>(Repository.pages());
    for (String module : Repository.modules()) {
      if (!LATER_MODULES.contains(module)) {
        files.addAll(Repository.mainSources(module));
        files.addAll(Repository.testSources(module));
      }
    }
    return files;
  }
}
