package dev.mailroom.jdbc;

import dev.mailroom.options.Ordering;
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

  /**
   * What came of it.
   *
   * @param lost what was not held any more
   * @param freed whether groups may go on
   */
  record Settled(Set<UUID> lost, boolean freed) {}

  /** Applies what is still held. */
  Settled settle(Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    return transactions.run(
        "settle", session -> within(new Line(session, id, channel), settlements));
  }

  /** The same in a transaction that was handed to the store. */
  Settled join(
      Transactions transactions,
      JdbcTransaction own,
      ChannelIds channels,
      Channel channel,
      List<Settlement> settlements) {
    Transactions.Work<Settled> settle =
        session -> within(new Line(session, channels.of(session, channel), channel), settlements);
    return transactions.join(
        "settle",
        own.forStore(),
        session ->
            own.isCallers()
                ? session.dialect.inCallersTransaction(session, settle)
                : settle.run(session));
  }

  /** The same in the middle of a transaction that somebody else will end. */
  Settled within(Line line, List<Settlement> settlements) throws SQLException {
    Set<UUID> lost = new Settling(line, groups).settle(settlements);
    return new Settled(lost, line.channel().ordering() != Ordering.NONE);
  }
}
