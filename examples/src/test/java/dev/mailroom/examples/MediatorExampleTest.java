package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MediatorExampleTest {

  @Test
  void bringsEveryMessageToItsHandlers() throws Exception {
    assertThat(Console.during(() -> MediatorExample.main(new String[0])))
        .containsExactly(
            "ann sends PlaceOrder[item=tea]",
            "mail for 1",
            "tea",
            "null sends CancelOrder[number=1]",
            "order 1 was for tea",
            "null sends CancelOrder[number=1]",
            "ignored: there is no order 1",
            "refused: [Problem[what=item, why=is blank]]",
            "gift for 7",
            "mail for 7");
  }
}
