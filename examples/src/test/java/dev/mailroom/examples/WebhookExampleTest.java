package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WebhookExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void handlesWhatIsSignedOnceAndRefusesWhatIsForged() throws Exception {
    new WebhookExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactlyInAnyOrder(
            "signed: 202",
            "sent again: 200",
            "forged: 401",
            "label issue 1, which was opened",
            "announce 'A sample'");
    assertThat(transcript.lines())
        .containsSubsequence("label issue 1, which was opened", "announce 'A sample'");
  }
}
