package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.mediator.HandlerDescription.Stage;
import org.junit.jupiter.api.Test;

/** A mediator says what it handles. */
class HandlersTest {
  record Rename(String name) implements Command {}

  @Test
  void a_mediator_says_what_handlers_it_has_in_the_order_of_their_registration() {
    Mediator mediator =
        Mediator.builder()
            .preHandler(Command.class, (command, context) -> {})
            .command(Rename.class, (command, context) -> {})
            .build();

    assertThat(mediator.handlers())
        .extracting(HandlerDescription::stage)
        .containsExactly(Stage.PRE_HANDLER, Stage.HANDLER);
    assertThat(mediator.handlers())
        .extracting(HandlerDescription::messageType)
        .containsExactly(Command.class, Rename.class);
  }
}
