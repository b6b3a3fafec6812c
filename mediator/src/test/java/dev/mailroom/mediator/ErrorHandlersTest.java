package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorHandlersTest {
  private final List<String> log = new ArrayList<>();
  private final IllegalStateException error = new IllegalStateException("no stock");

  private MediatorBuilder failing() {
    return Mediator.builder()
        .command(
            Ship.class,
            (ship, context) -> {
              throw error;
            })
        .resultCommand(
            Place.class,
            (place, context) -> {
              throw error;
            });
  }

  private ErrorHandler<Object> answering(String name, ErrorOutcome outcome) {
    return (message, thrown, context) -> {
      log.add(name + " " + thrown.getMessage());
      return outcome;
    };
  }

  @Test
  void anErrorThatIsOnlyObservedGoesOn() {
    Mediator mediator =
        failing().errorHandler(Ship.class, answering("observer", ErrorOutcome.UNHANDLED)).build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711"))).isSameAs(error);
    assertThat(log).containsExactly("observer no stock");
  }

  @Test
  void anErrorThatIsHandledEndsThere() {
    Mediator mediator =
        failing()
            .errorHandler(Ship.class, answering("observer", ErrorOutcome.UNHANDLED))
            .errorHandler(Ship.class, answering("handler", ErrorOutcome.HANDLED))
            .errorHandler(Ship.class, answering("never", ErrorOutcome.HANDLED))
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly("observer no stock", "handler no stock");
  }

  @Test
  void aHandledErrorOfAMessageWithAResultNeedsThatResult() {
    Mediator mediator =
        failing()
            .errorHandler(
                Place.class,
                (place, thrown, context) -> {
                  context.replaceResult(0);
                  return ErrorOutcome.HANDLED;
                })
            .build();

    assertThat(mediator.send(new Place("4711"))).isZero();
  }

  @Test
  void aHandledErrorWithoutTheResultIsAnErrorThatKeepsTheOriginal() {
    Mediator mediator =
        failing().errorHandler(Place.class, answering("handler", ErrorOutcome.HANDLED)).build();

    assertThatThrownBy(() -> mediator.send(new Place("4711")))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining(Place.class.getName())
        .hasMessageContaining("replaceResult")
        .hasCause(error);
  }

  @Test
  void aHandledErrorAfterTheHandlerLeavesItsResult() {
    Mediator mediator =
        Mediator.builder()
            .resultCommand(Place.class, (place, context) -> 7)
            .postHandler(
                Place.class,
                (place, result, context) -> {
                  throw error;
                })
            .errorHandler(Place.class, answering("handler", ErrorOutcome.HANDLED))
            .build();

    assertThat(mediator.send(new Place("4711"))).isEqualTo(7);
  }

  @Test
  void anErrorHandlerThatFailsDoesNotHideTheError() {
    IllegalStateException another = new IllegalStateException("log is full");
    Mediator mediator =
        failing()
            .errorHandler(
                Ship.class,
                (ship, thrown, context) -> {
                  throw another;
                })
            .errorHandler(Ship.class, answering("observer", ErrorOutcome.UNHANDLED))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isSameAs(error)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(another));
    assertThat(log).containsExactly("observer no stock");
  }

  @Test
  void anErrorHandlerThatThrowsTheErrorAgainChangesNothing() {
    Mediator mediator =
        failing()
            .errorHandler(
                Ship.class,
                (ship, thrown, context) -> {
                  throw thrown;
                })
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711"))).isSameAs(error);
  }

  @Test
  void whatValidatorsAndPreHandlersThrowIsSeenToo() {
    Mediator mediator =
        failing()
            .validator(Ship.class, (ship, validation) -> validation.reject("order", "is bad"))
            .preHandler(
                Place.class,
                (place, context) -> {
                  throw new SecurityException("not yours");
                })
            .errorHandler(Ship.class, answering("observer", ErrorOutcome.UNHANDLED))
            .errorHandler(Place.class, answering("observer", ErrorOutcome.UNHANDLED))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> mediator.send(new Place("4711")))
        .isInstanceOf(SecurityException.class);
    assertThat(log)
        .containsExactly(
            "observer " + Ship.class.getName() + ": order is bad", "observer not yours");
  }

  @Test
  void anErrorOfTheMachineIsNotForErrorHandlers() {
    Mediator mediator =
        Mediator.builder()
            .command(
                Ship.class,
                (ship, context) -> {
                  throw new StackOverflowError("for the test");
                })
            .errorHandler(Ship.class, answering("handler", ErrorOutcome.HANDLED))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(StackOverflowError.class);
    assertThat(log).isEmpty();
  }
}
