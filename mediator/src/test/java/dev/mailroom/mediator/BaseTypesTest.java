package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.Orders.Find;
import dev.mailroom.mediator.Orders.OrderMessage;
import dev.mailroom.mediator.Orders.Place;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.PlacedInARush;
import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaseTypesTest {
  private final List<String> log = new ArrayList<>();

  /** A command with a special case. */
  static class Pack implements Command {}

  static final class PackGift extends Pack {}

  interface Fragile extends Command {}

  interface Heavy extends Command {}

  record SendPiano() implements Fragile, Heavy {}

  /** Refers to itself, as generic base classes do. */
  abstract static class Node<T extends Node<T>> implements Command {}

  static final class Leaf extends Node<Leaf> {}

  static final class NodeHandler<T extends Node<T>> implements CommandHandler<T> {
    private final List<String> log;

    NodeHandler(List<String> log) {
      this.log = log;
    }

    @Override
    public void handle(T command, ExecutionContext context) {
      log.add(command.getClass().getSimpleName());
    }
  }

  private PreHandler<Object> before(String name) {
    return (message, context) -> log.add(name);
  }

  @Test
  void handlersOfAnInterfaceSeeAllItsMessages() {
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> {})
            .query(Find.class, (find, context) -> "found")
            .preHandler(OrderMessage.class, (message, context) -> log.add(message.order()))
            .build();

    mediator.send(new Ship("1"));
    mediator.query(new Find("2"));
    mediator.publish(new Placed());

    assertThat(log).containsExactly("1", "2", "4711");
  }

  @Test
  void handlersOfCommandSeeCommandsWithResultsToo() {
    Mediator mediator =
        Mediator.builder()
            .command(Ship.class, (ship, context) -> {})
            .resultCommand(Place.class, (place, context) -> 7)
            .preHandler(Command.class, before("command"))
            .postHandler(Command.class, (command, result, context) -> log.add("" + result))
            .build();

    mediator.send(new Ship("1"));
    mediator.send(new Place("2"));

    assertThat(log).containsExactly("command", "null", "command", "7");
  }

  @Test
  void eventHandlersOfABaseTypeHearItsSubtypes() {
    Mediator mediator =
        Mediator.builder()
            .event(Object.class, (event, context) -> log.add("object"))
            .event(OrderMessage.class, (event, context) -> log.add("order"))
            .event(Placed.class, (event, context) -> log.add("placed"))
            .event(PlacedInARush.class, (event, context) -> log.add("rush"))
            .build();

    mediator.publish(new PlacedInARush());
    assertThat(log).containsExactly("object", "order", "placed", "rush");

    log.clear();
    mediator.publish(new Placed());
    assertThat(log).containsExactly("object", "order", "placed");
  }

  @Test
  void aMainHandlerOfABaseTypeHandlesItsSubtypes() {
    Mediator mediator =
        Mediator.builder().command(Pack.class, (pack, context) -> log.add("pack")).build();

    mediator.send(new PackGift());

    assertThat(log).containsExactly("pack");
  }

  @Test
  void aHandlerOfASubtypeHidesTheOneAboveIt() {
    Mediator mediator =
        Mediator.builder()
            .command(Command.class, (command, context) -> log.add("any"))
            .command(PackGift.class, (pack, context) -> log.add("gift"))
            .command(Pack.class, (pack, context) -> log.add("pack"))
            .build();

    mediator.send(new PackGift());
    mediator.send(new Pack());
    mediator.send(new Ship("1"));

    assertThat(log).containsExactly("gift", "pack", "any");
  }

  @Test
  void twoBaseHandlersOfWhichNoneIsNearerAreAnError() {
    Mediator mediator =
        Mediator.builder()
            .command(Fragile.class, (each, context) -> {}, options -> options.name("careful"))
            .command(Heavy.class, (each, context) -> {}, options -> options.name("strong"))
            .build();

    assertThatThrownBy(() -> mediator.send(new SendPiano()))
        .isInstanceOfSatisfying(
            HandlerNotFoundException.class, error -> assertThat(error.candidates()).hasSize(2))
        .hasMessageContaining(SendPiano.class.getName())
        .hasMessageContaining("careful, strong");
  }

  @Test
  void aMessageThatInheritsATypeTwiceMeetsItsHandlerOnce() {
    Mediator mediator =
        Mediator.builder()
            .command(SendPiano.class, (piano, context) -> log.add("sent"))
            .preHandler(Command.class, before("pre"))
            .build();

    mediator.send(new SendPiano());

    assertThat(log).containsExactly("pre", "sent");
  }

  @Test
  void aBaseTypeThatRefersToItselfIsNoCircle() {
    Mediator mediator = Mediator.builder().handler(new NodeHandler<Leaf>(log)).build();

    mediator.send(new Leaf());

    assertThat(log).containsExactly("Leaf");
  }
}
