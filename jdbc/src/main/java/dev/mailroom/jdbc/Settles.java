package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Settlement;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Settles with the statements that all databases understand. */
class Settles {
  final Groups groups;

  Settles(Groups groups) {
    this.groups = groups;
  }

  /** Applies what is still held and answers with the rest. */
  Set<UUID> settle(
      Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    return transactions.run(
        "settle",
        session -> new Settling(new Line(session, id, channel), groups).settle(settlements));
  }
}
