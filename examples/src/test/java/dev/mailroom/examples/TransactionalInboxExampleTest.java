package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransactionalInboxExampleTest {
  private final Transcript transcript = new Transcript();

  @Test
  void creditsEveryPaymentOnceThoughAHandlerFails() throws Exception {
    new TransactionalInboxExample(transcript).run();

    assertThat(transcript.lines())
        .containsExactlyInAnyOrder(
            "crediting 22 fails after the update: nothing of it stays",
            "receipt: 0 credited",
            "receipt: 20 credited",
            "receipt: 22 credited",
            "Ada has 42");
  }

  @Test
  void runsAsAProgram() throws Exception {
    assertThat(
            Console.during(
                () -> {
                  try {
                    TransactionalInboxExample.main(new String[0]);
                  } catch (SQLException e) {
                    throw new AssertionError(e);
                  }
                }))
        .contains("Ada has 42");
  }
}
