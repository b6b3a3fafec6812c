package dev.mailroom.memory;

/**
 * The messages of one lane that go one after another, in sequence order. It exists while it has
 * messages.
 *
 * <p>Its links place it in its lane's line while its head can be leased. Its head can be a message
 * that waits for a retry, or a dead letter for which the group was parked; then the group stands
 * nowhere until that message moves on.
 */
final class Group extends Node {
  final Lane lane;
  final String key;
  final Chain<Entry> entries = new Chain<>(null);

  /** How many of its messages are leased; always under one lease. */
  int leased;

  Group(Lane lane, String key) {
    this.lane = lane;
    this.key = key;
  }
}
