package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatchedInboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void savesBatchesAndRepeatsOnlyWhatWasRefused() throws Exception {
    new BatchedInboxExample(transcript).run();

    assertThat(transcript.linesThatStartWith("saved")).hasSizeBetween(3, 4);
    assertThat(transcript.lines())
        .startsWith("reading 3 is refused", "saved together: [1, 2, 4]")
        .containsOnlyOnce("saved together: [5, 6, 7, 8]");
    assertThat(transcript.linesThatStartWith("saved")).last().asString().contains("3");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> BatchedInboxExample.main(new String[0])))
        .contains("saved together: [5, 6, 7, 8]");
  }
}
