package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ScheduledCommandExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void runsACommandNowAndLaterAndStoresADuplicateOnce() throws Exception {
    new ScheduledCommandExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactlyInAnyOrder(
            "reminder of 1000 now",
            "4711 is scheduled: ACCEPTED",
            "4711 again: DUPLICATE",
            "4712 is cancelled: true",
            "reminder of 4711 later");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> ScheduledCommandExample.main(new String[0])))
        .contains("reminder of 4711 later");
  }
}
