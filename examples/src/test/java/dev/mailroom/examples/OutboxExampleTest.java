package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void announcesWhatWasCommittedInOrderAndNothingElse() throws Exception {
    new OutboxExample(transcript).run();

    assertThat(transcript.lines()).contains("order 4712 is rolled back, and its event with it");
    assertThat(transcript.lines().stream().filter(line -> line.contains("placed")))
        .containsExactly("order 4711 was placed", "order 4713 was placed");
  }
}
