package dev.mailroom.benchmarks.mediator;

import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.Mediator;

/** Four methods that do next to nothing, and a mediator that calls them for commands. */
final class Warehouse {
  private long checked;
  private long reserved;
  private long moved;
  private long noted;

  /** What the methods need of a command. */
  interface Move extends Command {
    int pieces();
  }

  record Ship(int pieces) implements Move {}

  record Store(int pieces) implements Move {}

  record Scrap(int pieces) implements Move {}

  void check(Move move) {
    checked += move.pieces();
  }

  void reserve(Move move) {
    reserved += move.pieces();
  }

  void move(Move move) {
    moved += move.pieces();
  }

  void note(Move move) {
    noted += move.pieces();
  }

  long total() {
    return checked + reserved + moved + noted;
  }

  /**
   * Each command has two pre-handlers, a handler and a post-handler of its own: three different
   * classes at each place are one more than the compiler can guess between.
   */
  Mediator mediator() {
    return Mediator.builder()
        .preHandler(Ship.class, (ship, context) -> check(ship))
        .preHandler(Ship.class, (ship, context) -> reserve(ship))
        .command(Ship.class, (ship, context) -> move(ship))
        .postHandler(Ship.class, (ship, result, context) -> note(ship))
        .preHandler(Store.class, (store, context) -> check(store))
        .preHandler(Store.class, (store, context) -> reserve(store))
        .command(Store.class, (store, context) -> move(store))
        .postHandler(Store.class, (store, result, context) -> note(store))
        .preHandler(Scrap.class, (scrap, context) -> check(scrap))
        .preHandler(Scrap.class, (scrap, context) -> reserve(scrap))
        .command(Scrap.class, (scrap, context) -> move(scrap))
        .postHandler(Scrap.class, (scrap, result, context) -> note(scrap))
        .build();
  }
}
