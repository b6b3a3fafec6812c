package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SingleInboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void retriesWhatFailedStoresADuplicateOnceAndKeepsADeadLetter() throws Exception {
    new SingleInboxExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactlyInAnyOrder(
            "order 1 is written: ACCEPTED",
            "order 2 is written: ACCEPTED",
            "order 2 is written: DUPLICATE",
            "order 3 is written: ACCEPTED",
            "order 1: the carrier is down, retry later",
            "order 1 is shipped to Harbour Street 5 (attempt 2)",
            "order 2 is shipped to Station Road 12 (attempt 1)",
            "dead letter: no carrier delivers to the moon");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> SingleInboxExample.main(new String[0])))
        .contains("dead letter: no carrier delivers to the moon");
  }
}
