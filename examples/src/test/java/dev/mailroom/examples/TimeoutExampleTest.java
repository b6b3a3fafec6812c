package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimeoutExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void firesWhatIsNotCancelledAndRetries() throws Exception {
    new TimeoutExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactlyInAnyOrder(
            "4712 is paid: true",
            "4713 is reminded earlier: true",
            "reminder of 4711, level 1",
            "reminder of 4713, level 2");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> TimeoutExample.main(new String[0])))
        .contains("reminder of 4711, level 1");
  }
}
