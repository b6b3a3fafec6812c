package dev.mailroom.examples;

import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ContextKey;
import dev.mailroom.mediator.ErrorOutcome;
import dev.mailroom.mediator.EventMode;
import dev.mailroom.mediator.InvalidRequestException;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.Query;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.mediator.StreamQuery;
import dev.mailroom.mediator.Validation;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Commands, queries and events of an order service, each brought to its handler by the mediator,
 * with the rules that hold for all of them in one place.
 */
public final class MediatorExample {
  private static final ContextKey<String> USER = ContextKey.named("user");

  private final Consumer<String> out;
  private final Map<Integer, String> orders = new TreeMap<>();

  MediatorExample(Consumer<String> out) {
    this.out = out;
  }

  // messages:begin
  record PlaceOrder(String item) implements ResultCommand<Integer> {}

  record CancelOrder(int number) implements Command {}

  record FindOrder(int number) implements Query<String> {}

  record ListOrders() implements StreamQuery<String> {}

  record OrderPlaced(int number) {} // events are plain objects

  // messages:end

  /** Runs the example. */
  public static void main(String[] args) {
    new MediatorExample(System.out::println).run();
  }

  void run() {
    Mediator mediator = mediator();
    // calls:begin
    int number = mediator.send(new PlaceOrder("tea"), options -> options.item(USER, "ann"));
    String item = mediator.query(new FindOrder(number));
    try (Stream<String> all = mediator.stream(new ListOrders())) {
      all.forEach(out);
    }
    mediator.send(new CancelOrder(number));
    // calls:end
    out.accept("order " + number + " was for " + item);
    mediator.send(new CancelOrder(number));
    refused(mediator);
    tagged(mediator);
  }

  private Mediator mediator() {
    // builder:begin
    return Mediator.builder()
        .resultCommand(
            PlaceOrder.class,
            (order, context) -> {
              int number = orders.size() + 1;
              orders.put(number, order.item());
              context.mediator().publish(new OrderPlaced(number));
              return number;
            })
        .command(CancelOrder.class, (order, context) -> cancel(order.number()))
        .query(FindOrder.class, (query, context) -> orders.getOrDefault(query.number(), "nothing"))
        .stream(ListOrders.class, (query, context) -> orders.values().stream())
        .event(OrderPlaced.class, (event, context) -> out.accept("mail for " + event.number()))
        .event(
            OrderPlaced.class,
            (event, context) -> out.accept("gift for " + event.number()),
            options -> options.tags("christmas").priority(-1))
        .validator(PlaceOrder.class, MediatorExample::validate)
        .preHandler(
            Command.class, // all commands, with a result or without
            (command, context) -> out.accept(context.get(USER) + " sends " + command))
        .errorHandler(
            CancelOrder.class,
            (order, error, context) -> {
              out.accept("ignored: " + error.getMessage());
              return ErrorOutcome.HANDLED;
            })
        .require(PlaceOrder.class, CancelOrder.class, FindOrder.class, ListOrders.class)
        .build();
    // builder:end
  }

  // validator:begin
  private static void validate(PlaceOrder order, Validation validation) {
    if (order.item().isBlank()) {
      validation.reject("item", "is blank");
    }
    if (order.item().length() > 20) {
      validation.reject("item", "has more than 20 characters");
    }
  }

  // validator:end

  private void cancel(int number) {
    if (orders.remove(number) == null) {
      throw new IllegalStateException("there is no order " + number);
    }
  }

  private void refused(Mediator mediator) {
    try {
      mediator.send(new PlaceOrder(" "));
    } catch (InvalidRequestException invalid) {
      out.accept("refused: " + invalid.problems());
    }
  }

  private static void tagged(Mediator mediator) {
    // publish:begin
    mediator.publish(
        new OrderPlaced(7),
        options -> options.tags("christmas").events(EventMode.PARALLEL.withAllErrors()));
    // publish:end
  }
}
