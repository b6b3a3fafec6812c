package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.InvalidRequestException.Problem;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PipelineTest {
  private final List<String> log = new ArrayList<>();

  private PreHandler<Object> before(String name) {
    return (message, context) -> log.add(name);
  }

  private PostHandler<Object> after(String name) {
    return (message, result, context) -> log.add(name + " " + result);
  }

  private MediatorBuilder shipping() {
    return Mediator.builder().command(Ship.class, (ship, context) -> log.add("handler"));
  }

  private MediatorBuilder placing() {
    return Mediator.builder()
        .resultCommand(
            Place.class,
            (place, context) -> {
              log.add("handler");
              return 7;
            });
  }

  @Test
  void theStagesRunInOrder() {
    Mediator mediator =
        placing()
            .postHandler(Place.class, after("post"))
            .preHandler(Place.class, before("pre"))
            .validator(Place.class, (place, validation) -> log.add("validator"))
            .build();

    assertThat(mediator.send(new Place("4711"))).isEqualTo(7);
    assertThat(log).containsExactly("validator", "pre", "handler", "post 7");
  }

  @Test
  void eventsGoThroughTheSameStages() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, (event, context) -> log.add("handler"))
            .postHandler(Placed.class, after("post"))
            .preHandler(Placed.class, before("pre"))
            .validator(Placed.class, (event, validation) -> log.add("validator"))
            .build();

    mediator.publish(new Placed());

    assertThat(log).containsExactly("validator", "pre", "handler", "post null");
  }

  @Test
  void lowPrioritiesRunFirstAndEqualOnesAsRegistered() {
    Mediator mediator =
        shipping()
            .preHandler(Ship.class, before("late"), options -> options.priority(10))
            .preHandler(Ship.class, before("normal"))
            .preHandler(Ship.class, before("normal too"))
            .preHandler(Ship.class, before("early"), options -> options.priority(-10))
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly("early", "normal", "normal too", "late", "handler");
  }

  @Test
  void allProblemsOfAllValidatorsAreReportedAtOnce() {
    Mediator mediator =
        shipping()
            .validator(
                Ship.class,
                (ship, validation) -> {
                  validation.reject("order", "is too short");
                  validation.reject("order", "has no prefix");
                })
            .validator(Ship.class, (ship, validation) -> validation.reject("time", "is missing"))
            .preHandler(Ship.class, before("pre"))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4")))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            error ->
                assertThat(error.problems())
                    .containsExactly(
                        new Problem("order", "is too short"),
                        new Problem("order", "has no prefix"),
                        new Problem("time", "is missing")))
        .hasMessage(
            Ship.class.getName() + ": order is too short; order has no prefix; time is missing");
    assertThat(log).isEmpty();
  }

  @Test
  void aValidatorSeesTheContext() {
    ContextKey<String> user = ContextKey.named("user");
    Mediator mediator =
        shipping()
            .validator(
                Ship.class,
                (ship, validation) -> validation.reject("user", validation.context().get(user)))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4"), options -> options.item(user, "guest")))
        .hasMessageContaining("user guest");
  }

  @Test
  void aPreHandlerThatThrowsKeepsTheHandlerFromRunning() {
    Mediator mediator =
        shipping()
            .preHandler(
                Ship.class,
                (ship, context) -> {
                  throw new SecurityException("not yours");
                })
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711"))).isInstanceOf(SecurityException.class);
    assertThat(log).isEmpty();
  }

  @Test
  void anAbortEndsTheCallWithoutAnError() {
    Mediator mediator =
        shipping()
            .preHandler(Ship.class, (ship, context) -> context.abort())
            .preHandler(Ship.class, before("pre"))
            .postHandler(Ship.class, after("post"))
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).isEmpty();
  }

  @Test
  void anAbortGivesTheResult() {
    Mediator mediator =
        placing()
            .preHandler(Place.class, (place, context) -> context.abort(42))
            .postHandler(Place.class, after("post"))
            .build();

    assertThat(mediator.send(new Place("4711"))).isEqualTo(42);
    assertThat(log).isEmpty();
  }

  @Test
  void theHandlerItselfMayAbort() {
    Mediator mediator =
        Mediator.builder()
            .resultCommand(
                Place.class,
                (place, context) -> {
                  context.abort(1);
                  return 2;
                })
            .postHandler(Place.class, after("post"))
            .build();

    assertThat(mediator.send(new Place("4711"))).isEqualTo(1);
    assertThat(log).isEmpty();
  }

  @Test
  void anAbortWithoutTheResultThatIsNeededIsAnError() {
    Mediator mediator =
        placing().preHandler(Place.class, (place, context) -> context.abort()).build();

    assertThatThrownBy(() -> mediator.send(new Place("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(Place.class.getName())
        .hasMessageContaining("needs a result");
  }

  @Test
  void anAbortWithAResultForACommandWithoutOneIsAnError() {
    Mediator mediator =
        shipping().preHandler(Ship.class, (ship, context) -> context.abort("sent")).build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no result");
  }

  @Test
  void aResultOfTheWrongTypeIsRefusedWhereItIsGiven() {
    Mediator mediator =
        placing().preHandler(Place.class, (place, context) -> context.abort("seven")).build();

    assertThatThrownBy(() -> mediator.send(new Place("4711")))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("java.lang.Integer")
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void aPostHandlerMayReplaceTheResult() {
    Mediator mediator =
        placing()
            .postHandler(Place.class, (place, result, context) -> context.replaceResult(8))
            .postHandler(Place.class, after("post"))
            .build();

    assertThat(mediator.send(new Place("4711"))).isEqualTo(8);
    assertThat(log).containsExactly("handler", "post 8");
  }

  @Test
  void beforeTheHandlerThereIsNoResultToReplace() {
    Mediator mediator =
        placing().preHandler(Place.class, (place, context) -> context.replaceResult(8)).build();

    assertThatThrownBy(() -> mediator.send(new Place("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("abort with a result");
  }

  @Test
  void aCancelledCallRunsNothing() {
    Mediator mediator = shipping().preHandler(Ship.class, before("pre")).build();

    assertThatThrownBy(
            () -> mediator.send(new Ship("4711"), options -> options.cancellation(() -> true)))
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining(Ship.class.getName());
    assertThat(log).isEmpty();
  }

  @Test
  void cancellingBetweenTwoStagesKeepsTheHandlerFromRunning() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mediator mediator =
        shipping().preHandler(Ship.class, (ship, context) -> cancelled.set(true)).build();

    assertThatThrownBy(
            () -> mediator.send(new Ship("4711"), options -> options.cancellation(cancelled::get)))
        .isInstanceOf(CancellationException.class);
    assertThat(log).isEmpty();
  }

  @Test
  void onceTheHandlerHasRunCancellingComesTooLate() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mediator mediator =
        Mediator.builder()
            .command(
                Ship.class,
                (ship, context) -> {
                  cancelled.set(true);
                  log.add("cancelled " + context.isCancelled());
                })
            .postHandler(Ship.class, after("post"))
            .build();

    mediator.send(new Ship("4711"), options -> options.cancellation(cancelled::get));

    assertThat(log).containsExactly("cancelled true", "post null");
  }
}
