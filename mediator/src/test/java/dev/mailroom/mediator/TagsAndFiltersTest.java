package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.HandlerDescription.Stage;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TagsAndFiltersTest {
  private static final MediatorHandlerOptions EU =
      MediatorHandlerOptions.of(options -> options.name("eu").tags("eu"));
  private static final MediatorHandlerOptions US =
      MediatorHandlerOptions.of(options -> options.name("us").tags("us"));

  private final List<String> log = new ArrayList<>();

  private final Mediator mediator =
      Mediator.builder()
          .command(Ship.class, (ship, context) -> log.add("shipped in eu"), EU)
          .command(Ship.class, (ship, context) -> log.add("shipped in us"), US)
          .event(Placed.class, (placed, context) -> log.add("always"))
          .event(Placed.class, (placed, context) -> log.add("in eu"), EU)
          .event(Placed.class, (placed, context) -> log.add("in us"), US)
          .preHandler(Placed.class, (placed, context) -> log.add("before, in eu"), EU)
          .build();

  @Test
  void withoutTagsOnlyUntaggedHandlersRun() {
    mediator.publish(new Placed());

    assertThat(log).containsExactly("always");
  }

  @Test
  void withTagsThoseOfTheTagRunToo() {
    mediator.publish(new Placed(), options -> options.tags("eu"));

    assertThat(log).containsExactly("before, in eu", "always", "in eu");
  }

  @Test
  void aTagChoosesBetweenMainHandlers() {
    mediator.send(new Ship("4711"), options -> options.tags("us", "express"));

    assertThat(log).containsExactly("shipped in us");
  }

  @Test
  void aCallWithNoneOfTheTagsSaysWhatThereIs() {
    assertThatThrownBy(() -> mediator.send(new Ship("4711"), options -> options.tags("asia")))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining("[asia]")
        .hasMessageContaining("eu [eu], us [us]");
  }

  @Test
  void aCallWithBothTagsNamesBothHandlers() {
    assertThatThrownBy(() -> mediator.send(new Ship("4711"), options -> options.tags("eu", "us")))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining("Several handlers")
        .hasMessageContaining("eu [eu], us [us]");
  }

  @Test
  void handlersThatWaitForATagCountWhereOneIsRequired() {
    assertThatCode(() -> mediator.requireHandler(Ship.class)).doesNotThrowAnyException();
  }

  @Test
  void aTagGivenTwiceIsOneTag() {
    mediator.send(new Ship("4711"), options -> options.tags("us", "us"));

    assertThat(log).containsExactly("shipped in us");
    assertThat(MediatorHandlerOptions.of(options -> options.tags("us", "us")).tags())
        .containsExactly("us");
  }

  @Test
  void aFilterChoosesHandlersOfEveryStage() {
    CallOptions options =
        CallOptions.of(call -> call.tags("eu").filter(handler -> handler.stage() == Stage.HANDLER));

    mediator.publish(new Placed(), options);

    assertThat(log).containsExactly("always", "in eu");
  }

  @Test
  void aFilterSeesWhatIsKnownOfAHandler() {
    List<HandlerDescription> seen = new ArrayList<>();
    CallOptions options = CallOptions.of(call -> call.tags("us").filter(seen::add));

    mediator.send(new Ship("4711"), options);

    assertThat(seen)
        .containsExactly(new HandlerDescription("us", Stage.HANDLER, Ship.class, 0, US.tags()));
  }

  @Test
  void aFilterThatLeavesNoMainHandlerIsAnError() {
    assertThatThrownBy(
            () -> mediator.send(new Ship("1"), options -> options.tags("eu").filter(each -> false)))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining("and its filter");
  }
}
