package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.Orders.Find;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Ship;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsAndQueriesTest {
  private final List<String> shipped = new ArrayList<>();

  private final Mediator mediator =
      Mediator.builder()
          .command(Ship.class, (ship, context) -> shipped.add(ship.order()))
          .resultCommand(Place.class, (place, context) -> place.order().length())
          .query(Find.class, (find, context) -> find.order().isEmpty() ? null : "found")
          .build();

  @Test
  void aCommandWithoutAResultReachesItsHandler() {
    mediator.send(new Ship("4711"));

    assertThat(shipped).containsExactly("4711");
  }

  @Test
  void aCommandWithAResultAnswersWithIt() {
    int result = mediator.send(new Place("4711"));

    assertThat(result).isEqualTo(4);
  }

  @Test
  void aCommandWithAResultCanBeSentByACallerThatDoesNotKnowTheResult() {
    List<Integer> handled = new ArrayList<>();
    Command command = new Place("4711");

    Mediator.builder()
        .resultCommand(
            Place.class,
            (place, context) -> {
              handled.add(1);
              return 1;
            })
        .build()
        .send(command);

    assertThat(handled).containsExactly(1);
  }

  @Test
  void aQueryIsAnswered() {
    String result = mediator.query(new Find("4711"));

    assertThat(result).isEqualTo("found");
  }

  @Test
  void aQueryMayBeAnsweredWithNull() {
    assertThat(mediator.query(new Find(""))).isNull();
  }

  @Test
  void aCheckedExceptionOfAHandlerReachesTheCallerAsItIs() {
    IOException error = new IOException("disk full");
    Mediator failing =
        Mediator.builder()
            .command(
                Ship.class,
                (ship, context) -> {
                  throw error;
                })
            .build();

    assertThatThrownBy(() -> failing.send(new Ship("4711"))).isSameAs(error);
  }

  @Test
  void nullIsRefused() {
    assertThatThrownBy(() -> mediator.send((Ship) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("message");
  }
}
