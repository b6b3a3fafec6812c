package dev.mailroom.architecture.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One name, one meaning: no two types of the product have the same simple name. */
class TypeNamesTest {
  private static final String BENCHMARKS = "benchmarks";

  /** Names that two types have, and why. */
  private static final Map<String, String> ALLOWED =
      Map.of("Durability", "core and databases; the latter is used all over the tests of jdbc");

  @Test
  void noNameIsUsedTwice() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : Repository.modules()) {
      if (!module.equals(BENCHMARKS)) {
        sources.addAll(Repository.mainSources(module));
      }
    }
    assertThat(TypeNames.repeated(sources))
        .as("exactly the allowed names occur more than once")
        .containsOnlyKeys(ALLOWED.keySet());
  }

  @Test
  void aNameInTwoPackagesIsFoundWithBothFiles() {
    Path one = Path.of("core", "One.java");
    Path two = Path.of("jdbc", "One.java");
    assertThat(TypeNames.repeated(List.of(one, Path.of("core", "Two.java"), two)))
        .isEqualTo(Map.of("One", List.of(one, two)));
  }

  @Test
  void packageInfosAreNoTypes() {
    Path one = Path.of("core", "package-info.java");
    assertThat(TypeNames.repeated(List.of(one, Path.of("jdbc", "package-info.java")))).isEmpty();
  }
}
