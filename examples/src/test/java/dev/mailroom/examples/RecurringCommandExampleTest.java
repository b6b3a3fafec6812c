package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RecurringCommandExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void runsAgainAndAgainAndIsStoredOnce() throws Exception {
    new RecurringCommandExample(transcript).run();

    assertThat(transcript.lines())
        .startsWith(
            "nightly report: 30 3 * * MON-FRI (Europe/Berlin)", "session clean-up: every PT0.03S")
        .endsWith("left: 1");
    assertThat(transcript.linesThatStartWith("clean-up of session clean-up"))
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> RecurringCommandExample.main(new String[0])))
        .contains("left: 1");
  }
}
