package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class OrderServiceExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void publishesWhatWasCommittedInOrderAndNothingElse() throws Exception {
    new OrderServiceExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactly(
            "order 4711 is accepted",
            "order 4712 is refused, and its event with it",
            "order 4713 is accepted",
            "read shop.order-placed for ann: {\"orderId\":\"4711\",\"amount\":20}",
            "read shop.order-placed for ann: {\"orderId\":\"4713\",\"amount\":22}");
  }
}
