package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OrderedBatchedInboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void keepsTheOrderOfEachDocumentThroughAFailureInTheMiddle() throws Exception {
    new OrderedBatchedInboxExample(transcript).run();

    assertThat(transcript.linesThatStartWith("plan"))
        .containsExactly(
            "plan: edits [1, 2, 3, 4, 5]",
            "plan: edit 3 failed, and what comes after it waits",
            "plan: edits [3, 4, 5]");
    assertThat(transcript.linesThatStartWith("report"))
        .containsExactly("report: edits [1, 2, 3, 4, 5]");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> OrderedBatchedInboxExample.main(new String[0])))
        .contains("plan: edits [3, 4, 5]");
  }
}
