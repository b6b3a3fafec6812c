package dev.mailroom.architecture.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check finds what is forbidden, and nothing else. */
class WordListTest {
  private static final WordList LIST =
      WordList.parse(
          """
          # a comment, with a comma
          gizmo, gizmos | widget
          big red button | stop button
          ^these which | the real subject
          """);

  @Test
  void aForbiddenWordIsFoundWithItsLineAndWhatToWrite() {
    assertThat(findings("First line.\nThe gizmo runs.\n"))
        .containsExactly("A.java:2: gizmo -> widget");
  }

  @Test
  void everyPartOfAnIdentifierIsAWord() {
    assertThat(findings("int redGizmoCount;")).hasSize(1);
    assertThat(findings("void a_gizmo_runs() {}")).hasSize(1);
    assertThat(findings("int MAX_GIZMOS;")).hasSize(1);
    assertThat(findings("class GizmoStore {}")).hasSize(1);
  }

  @Test
  void aPhraseIsFoundAcrossTheLinesOfAComment() {
    assertThat(findings("/**\n * Press the big\n * red button.\n */"))
        .containsExactly("A.java:2: big red button -> stop button");
    assertThat(findings("void a_big_red_button() {}")).hasSize(1);
  }

  @Test
  void aPhraseMayBeForbiddenOnlyAtTheStartOfASentence() {
    assertThat(findings("/** These which wait. */")).hasSize(1);
    assertThat(findings("It ends. These which wait go on.")).hasSize(1);
    assertThat(findings("\"these which wait\"")).hasSize(1);
    assertThat(findings("| cell | these which wait |")).hasSize(1);
    assertThat(findings("It skips these which wait.")).isEmpty();
  }

  @Test
  void anInnocentTextHasNoFindings() {
    assertThat(
            findings("/** The gizmodo of a button, big, red. */ int agizmo; int big; button(red);"))
        .isEmpty();
  }

  @Test
  void anEntrySaysWhatToWriteInstead() {
    assertThatThrownBy(() -> WordList.parse("gizmo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gizmo");
  }

  @Test
  void theListOfTheRepositoryFindsWhatItsExamplesAreFor() throws IOException {
    WordList list = WordList.ofTheRepository();
    assertThat(list.findings("kept.txt", resource("kept.txt"))).isEmpty();
    for (String line : resource("broken.txt").lines().toList()) {
      assertThat(list.findings("broken.txt", line)).as(line).isNotEmpty();
    }
  }

  private static List<String> findings(String text) {
    return LIST.findings("A.java", text);
  }

  private static String resource(String name) throws IOException {
    try (InputStream text = WordListTest.class.getResourceAsStream(name)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
