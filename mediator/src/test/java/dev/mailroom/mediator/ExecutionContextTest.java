package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.mediator.Orders.Find;
import dev.mailroom.mediator.Orders.Lines;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import dev.mailroom.messages.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExecutionContextTest {
  private static final ContextKey<String> USER = ContextKey.named("user");

  private final List<Object> log = new ArrayList<>();

  @Test
  void handlersPassItemsOn() {
    Mediator mediator =
        Mediator.builder()
            .preHandler(Ship.class, (ship, context) -> context.put(USER, "ann"))
            .command(Ship.class, (ship, context) -> log.add(context.get(USER)))
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly("ann");
  }

  @Test
  void theCallerGivesItems() {
    Mediator mediator =
        Mediator.builder()
            .preHandler(
                Ship.class, (ship, context) -> context.put(USER, context.get(USER) + " and bob"))
            .command(Ship.class, (ship, context) -> log.add(context.get(USER)))
            .build();
    CallOptions options = CallOptions.of(call -> call.item(USER, "ann"));

    mediator.send(new Ship("4711"), options);
    mediator.send(new Ship("4711"), options);

    assertThat(log).containsExactly("ann and bob", "ann and bob");
  }

  @Test
  void keysOfEqualNamesAreStrangers() {
    ContextKey<String> other = ContextKey.named("user");
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> log.add("" + context.get(other)))
            .build();

    mediator.send(new Ship("4711"), options -> options.item(USER, "ann"));

    assertThat(log).containsExactly("null");
    assertThat(other).hasToString("user");
  }

  @Test
  void handlersSeeTheTagsOfTheCall() {
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> log.addAll(context.tags()))
            .build();

    mediator.send(new Ship("4711"), options -> options.tags("express"));

    assertThat(log).containsExactly("express");
  }

  @Test
  void handlersSeeTheStoredMessageBehindTheCall() {
    UUID id = new UUID(1, 2);
    Trace trace = new Trace("conversation", "cause", "00-1-2-01", null);
    DurableExecution durable = new DurableExecution(id, 3, "acme", trace);
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> log.add(context.durable()))
            .build();

    mediator.send(new Ship("4711"), options -> options.durable(durable));

    assertThat(log).containsExactly(durable);
    assertThat(durable.correlationId()).isEqualTo("conversation");
    assertThat(durable.causationId()).isEqualTo("cause");
  }

  @Test
  void anOrdinaryCallHasNoStoredMessageBehindIt() {
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> log.add(context.durable() == null))
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly(true);
  }

  @Test
  void attemptsCountFromOne() {
    UUID id = new UUID(1, 2);

    assertThatThrownBy(() -> new DurableExecution(id, 0, null, Trace.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(id.toString());
  }

  @Test
  void handlersCallTheMediatorThroughTheirContext() {
    Mediator mediator =
        Mediator.builder()
            .resultCommand(Place.class, (place, context) -> 7)
            .query(Find.class, (find, context) -> "found")
            .stream(Lines.class, (lines, context) -> Stream.of("line"))
            .event(Placed.class, (placed, context) -> log.add("placed"))
            .command(
                Ship.class,
                (ship, context) -> {
                  Mediator nested = context.mediator();
                  log.add(nested.send(new Place("1")));
                  log.add(nested.query(new Find("1")));
                  log.addAll(nested.stream(new Lines("1")).toList());
                  nested.send((Command) new Place("1"));
                  nested.publish(new Placed());
                  nested.requireHandler(Place.class);
                })
            .build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly(7, "found", "line", "placed");
  }

  @Test
  void callsFromWithinAreCancelledTogether() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mediator mediator =
        Mediator.builder()
            .query(Find.class, (find, context) -> "found")
            .command(
                Ship.class,
                (ship, context) -> {
                  cancelled.set(true);
                  context.mediator().query(new Find("1"));
                })
            .build();

    assertThatThrownBy(
            () -> mediator.send(new Ship("4711"), options -> options.cancellation(cancelled::get)))
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining(Find.class.getName());
  }

  @Test
  void handlersThatCallEachOtherInACircleAreFoundOut() {
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> context.mediator().publish(new Placed()))
            .event(Placed.class, (placed, context) -> context.mediator().send(new Ship("1")))
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("recursively")
        .hasMessageContaining(Ship.class.getName() + " > " + Placed.class.getName());
  }

  @Test
  void aBaseHandlerThatPublishesWhatItHandlesIsFoundOut() {
    Mediator mediator =
        Mediator.builder()
            .event(Object.class, (event, context) -> context.mediator().publish("heard " + event))
            .build();

    assertThatThrownBy(() -> mediator.publish("noise"))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("recursively")
        .hasMessageContaining("java.lang.String > java.lang.String");
  }
}
