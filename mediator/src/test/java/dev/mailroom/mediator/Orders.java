package dev.mailroom.mediator;

/** The messages of the tests. */
final class Orders {
  private Orders() {}

  /** Something that has to do with orders. */
  interface OrderMessage {
    String order();
  }

  record Ship(String order) implements Command, OrderMessage {}

  record Place(String order) implements ResultCommand<Integer>, OrderMessage {}

  record Find(String order) implements Query<String>, OrderMessage {}

  record Lines(String order) implements StreamQuery<String>, OrderMessage {}

  /** A plain event. */
  static class Placed implements OrderMessage {
    @Override
    public String order() {
      return "4711";
    }
  }

  /** A special case of it. */
  static final class PlacedInARush extends Placed {}
}
