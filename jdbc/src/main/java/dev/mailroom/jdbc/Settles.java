package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Settlement;
import java.sql.SQLException;
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
        "settle", session -> within(new Line(session, id, channel), settlements));
  }

  /** The same in the middle of a transaction that somebody else will end. */
  Set<UUID> within(Line line, List<Settlement> settlements) throws SQLException {
    return new Settling(line, groups).settle(settlements);
  }
}
