package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OrderedInboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void keepsTheOrderOfEachAccountThroughARetry() throws Exception {
    new OrderedInboxExample(transcript).run();

    assertThat(transcript.linesThatStartWith("ada"))
        .containsExactly(
            "ada: 100 failed, and what comes after it waits",
            "ada: 100 is booked",
            "ada: -30 is booked",
            "ada: -70 is booked");
    assertThat(transcript.linesThatStartWith("bob"))
        .containsExactly("bob: 7 is booked", "bob: 8 is booked");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(Console.during(() -> OrderedInboxExample.main(new String[0])))
        .contains("ada: -70 is booked");
  }
}
