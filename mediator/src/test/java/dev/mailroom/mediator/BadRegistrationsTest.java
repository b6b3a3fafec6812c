package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.mediator.Orders.Find;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BadRegistrationsTest {

  record Confused() implements Command, Query<String> {}

  static final class ListHandler implements EventHandler<List<String>> {
    @Override
    public void handle(List<String> event, ExecutionContext context) {}
  }

  static final class NeedsAnArgument implements EventHandler<Placed> {
    NeedsAnArgument(String argument) {
      assertThat(argument).isNotNull();
    }

    @Override
    public void handle(Placed event, ExecutionContext context) {}
  }

  static final class FailsToStart implements EventHandler<Placed> {
    FailsToStart() {
      throw new IllegalStateException("no connection");
    }

    @Override
    public void handle(Placed event, ExecutionContext context) {}
  }

  @Test
  void sendingWithoutAHandlerNamesTheTypeAndWhatToRegister() {
    Mediator mediator = Mediator.builder().build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining(Ship.class.getName())
        .hasMessageContaining("register a CommandHandler");
    assertThatThrownBy(() -> mediator.query(new Find("4711")))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining("register a QueryHandler");
  }

  @Test
  void aMissingHandlerShowsBeforeAnythingRunsAndCannotBeHandledAway() {
    List<String> log = new ArrayList<>();
    Mediator mediator =
        Mediator.builder()
            .validator(Ship.class, (ship, validation) -> log.add("validator"))
            .preHandler(Ship.class, (ship, context) -> log.add("pre"))
            .errorHandler(Ship.class, (ship, error, context) -> ErrorOutcome.HANDLED)
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(HandlerNotFoundException.class);
    assertThat(log).isEmpty();
  }

  @Test
  void aMissingHandlerShowsAtBuildWhereTheTypeIsRequired() {
    assertThatThrownBy(() -> Mediator.builder().require(Ship.class, Find.class).build())
        .isInstanceOfSatisfying(
            InvalidOptionsException.class, error -> assertThat(error.violations()).hasSize(2))
        .hasMessageContaining(Ship.class.getName())
        .hasMessageContaining(Find.class.getName());
  }

  @Test
  void aMissingHandlerCanBeAskedForLater() {
    Mediator mediator = Mediator.builder().command(Ship.class, (ship, context) -> {}).build();

    assertThatCode(() -> mediator.requireHandler(Ship.class)).doesNotThrowAnyException();
    assertThatCode(() -> mediator.requireHandler(Placed.class)).doesNotThrowAnyException();
    assertThatThrownBy(() -> mediator.requireHandler(Place.class))
        .isInstanceOf(HandlerNotFoundException.class)
        .hasMessageContaining(Place.class.getName());
  }

  @Test
  void twoHandlersOfOneCommandShowAtBuild() {
    assertThatThrownBy(
            () ->
                Mediator.builder()
                    .command(Ship.class, (ship, context) -> {}, options -> options.name("one"))
                    .command(Ship.class, (ship, context) -> {}, options -> options.name("two"))
                    .require(Ship.class)
                    .build())
        .isInstanceOfSatisfying(
            InvalidOptionsException.class, error -> assertThat(error.violations()).hasSize(1))
        .hasMessageContaining(Ship.class.getName())
        .hasMessageContaining("one, two");
  }

  @Test
  void twoHandlersOfWhichOneTagCouldReachBothShowAtBuild() {
    assertThatThrownBy(
            () ->
                Mediator.builder()
                    .query(
                        Find.class, (find, context) -> "one", options -> options.tags("eu", "us"))
                    .query(Find.class, (find, context) -> "two", options -> options.tags("us"))
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("QueryHandler of " + Find.class.getName());
  }

  @Test
  void aHandlerWithATagBesideOneWithoutShowsAtBuild() {
    assertThatThrownBy(
            () ->
                Mediator.builder()
                    .query(Find.class, (find, context) -> "one")
                    .query(Find.class, (find, context) -> "two", options -> options.tags("us"))
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("Several handlers");
  }

  @Test
  void aCommandWithAResultCannotHaveAHandlerWithout() {
    assertThatThrownBy(
            () -> Mediator.builder().command(Place.class, (place, context) -> {}).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(Place.class.getName())
        .hasMessageContaining("make it a ResultCommandHandler");
  }

  @Test
  void aCommandCannotHaveEventHandlers() {
    assertThatThrownBy(() -> Mediator.builder().event(Ship.class, (ship, context) -> {}).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("make it a CommandHandler");
  }

  @Test
  void aMessageIsEitherACommandOrAQuery() {
    Mediator mediator = Mediator.builder().build();

    assertThatThrownBy(() -> mediator.send(new Confused()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Confused.class.getName())
        .hasMessageContaining("both a command and a query");
  }

  @Test
  void aLambdaByItselfDoesNotSayWhatItHandles() {
    EventHandler<Placed> lambda = (placed, context) -> {};

    assertThatThrownBy(() -> Mediator.builder().handler(lambda).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("give the type beside it");
  }

  @Test
  void anObjectThatIsNoHandlerIsRefused() {
    assertThatThrownBy(() -> Mediator.builder().handler("text").handler(Integer.class).build())
        .isInstanceOfSatisfying(
            InvalidOptionsException.class, error -> assertThat(error.violations()).hasSize(2))
        .hasMessageContaining("java.lang.String is not a handler")
        .hasMessageContaining("java.lang.Integer is not a handler");
  }

  @Test
  void aHandlerOfOneParameterisationIsRefusedSinceItWouldGetThemAll() {
    assertThatThrownBy(() -> Mediator.builder().handler(new ListHandler()).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("java.util.List<java.lang.String>")
        .hasMessageContaining("a class of its own");
  }

  @Test
  void aClassThatCannotBeMadeSaysWhatToDo() {
    assertThatThrownBy(() -> Mediator.builder().handler(NeedsAnArgument.class).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(NeedsAnArgument.class.getName())
        .hasMessageContaining("HandlerResolver");
  }

  @Test
  void aConstructorThatFailsIsNamedWithItsError() {
    assertThatThrownBy(() -> Mediator.builder().handler(FailsToStart.class).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(FailsToStart.class.getName())
        .hasMessageContaining("no connection");
  }

  @Test
  void aBlankTagIsRefused() {
    assertThatThrownBy(
            () ->
                Mediator.builder()
                    .event(
                        Placed.class,
                        (placed, context) -> {},
                        options -> options.name("mailer").tags(" "))
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("mailer has a blank tag");
  }
}
