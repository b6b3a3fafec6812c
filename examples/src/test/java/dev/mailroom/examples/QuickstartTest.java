package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class QuickstartTest {

  @Test
  void shipsTheOrder() throws Exception {
    assertThat(Console.during(() -> Quickstart.main(new String[0])))
        .containsExactly("Shipping 4711");
  }
}
