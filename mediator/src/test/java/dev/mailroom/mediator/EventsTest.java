package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.Orders.Find;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static final CallOptions ALL_ERRORS =
      CallOptions.of(options -> options.events(EventMode.SEQUENTIAL.withAllErrors()));

  private final List<String> log = new ArrayList<>();

  private EventHandler<Object> noting(String name) {
    return (event, context) -> log.add(name);
  }

  private EventHandler<Object> failing(String name) {
    return (event, context) -> {
      log.add(name);
      throw new IllegalStateException(name);
    };
  }

  private static MediatorHandlerOptions named(String name) {
    return MediatorHandlerOptions.of(options -> options.name(name));
  }

  @Test
  void everyHandlerOfAnEventRuns() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, noting("mail"))
            .event(Placed.class, noting("stock"))
            .build();

    mediator.publish(new Placed());

    assertThat(log).containsExactly("mail", "stock");
  }

  @Test
  void anyObjectCanBeAnEvent() {
    Mediator mediator = Mediator.builder().event(String.class, noting("text")).build();

    mediator.publish("something happened");

    assertThat(log).containsExactly("text");
  }

  @Test
  void anEventWithoutAHandlerIsNoError() {
    assertThatCode(() -> Mediator.builder().build().publish("without a handler"))
        .doesNotThrowAnyException();
  }

  @Test
  void aCommandIsNoEvent() {
    assertThatThrownBy(() -> Mediator.builder().build().publish(new Ship("4711")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Ship.class.getName())
        .hasMessageContaining("Mediator.send");
  }

  @Test
  void aQueryIsNoEvent() {
    assertThatThrownBy(() -> Mediator.builder().build().publish(new Find("4711")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Mediator.query");
  }

  @Test
  void theFirstErrorEndsThePublication() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, noting("mail"))
            .event(Placed.class, failing("stock"))
            .event(Placed.class, noting("invoice"))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("stock");
    assertThat(log).containsExactly("mail", "stock");
  }

  @Test
  void allErrorsAreCollectedWhereThatIsAskedFor() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing("mail"), named("mailer"))
            .event(Placed.class, failing("stock"), named("warehouse"))
            .event(Placed.class, noting("invoice"))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), ALL_ERRORS))
        .isInstanceOfSatisfying(
            EventHandlersFailedException.class,
            error ->
                assertThat(error.failures())
                    .extracting(failure -> failure.handler().name())
                    .containsExactly("mailer", "warehouse"))
        .hasMessageContaining(Placed.class.getName())
        .hasMessageContaining("mailer")
        .hasMessageContaining("warehouse")
        .hasCauseInstanceOf(IllegalStateException.class)
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
    assertThat(log).containsExactly("mail", "stock", "invoice");
  }

  @Test
  void theMediatorsModeHoldsForCallsThatSayNothing() {
    Mediator mediator =
        Mediator.builder()
            .events(EventMode.SEQUENTIAL.withAllErrors())
            .event(Placed.class, failing("mail"))
            .event(Placed.class, noting("stock"))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed()))
        .isInstanceOf(EventHandlersFailedException.class);
    assertThat(log).containsExactly("mail", "stock");
  }

  @Test
  void anErrorThatIsHandledDoesNotKeepTheOthersFromRunning() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing("mail"))
            .event(Placed.class, noting("stock"))
            .errorHandler(Placed.class, (event, error, context) -> ErrorOutcome.HANDLED)
            .postHandler(Placed.class, (event, result, context) -> log.add("after"))
            .build();

    mediator.publish(new Placed());

    assertThat(log).containsExactly("mail", "stock", "after");
  }

  @Test
  void eachErrorGoesToTheErrorHandlersOnce() {
    List<String> seen = new ArrayList<>();
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing("mail"))
            .event(Placed.class, failing("stock"))
            .errorHandler(
                Placed.class,
                (event, error, context) -> {
                  seen.add(error.getMessage());
                  return ErrorOutcome.UNHANDLED;
                })
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), ALL_ERRORS))
        .isInstanceOf(EventHandlersFailedException.class);
    assertThat(seen).containsExactly("mail", "stock");
  }

  @Test
  void postHandlersDoNotRunAfterAnError() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing("mail"))
            .postHandler(Placed.class, (event, result, context) -> log.add("after"))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(log).containsExactly("mail");
  }

  @Test
  void aHandlerThatAbortsKeepsTheOthersFromRunning() {
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, (event, context) -> context.abort())
            .event(Placed.class, noting("stock"))
            .postHandler(Placed.class, (event, result, context) -> log.add("after"))
            .build();

    mediator.publish(new Placed());

    assertThat(log).isEmpty();
  }

  @Test
  void cancellingEndsThePublicationAndKeepsTheErrorsSoFar() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing("mail"))
            .event(Placed.class, (event, context) -> cancelled.set(true))
            .event(Placed.class, noting("invoice"))
            .build();

    assertThatThrownBy(
            () ->
                mediator.publish(
                    new Placed(), ALL_ERRORS.toBuilder().cancellation(cancelled::get).build()))
        .isInstanceOf(CancellationException.class)
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
    assertThat(log).containsExactly("mail");
  }
}
