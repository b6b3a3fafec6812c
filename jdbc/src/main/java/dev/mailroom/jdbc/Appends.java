package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Appends with the statements that all databases understand. */
class Appends {
  final Groups groups;

  Appends(Groups groups) {
    this.groups = groups;
  }

  /** Appends in a transaction of the store's own. */
  List<AppendResult> append(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    AtomicBoolean repeated = new AtomicBoolean();
    return transactions.run(
        "append",
        session -> {
          List<NewMessage> all = repeated.getAndSet(true) ? Appending.again(messages) : messages;
          return new Appending(new Line(session, id, channel), groups, all).run();
        });
  }

  /** Appends in a transaction of the store's own, and leases what it can of it, here nothing. */
  LeasedAppend lease(
      Transactions transactions,
      int id,
      Channel channel,
      List<NewMessage> messages,
      LeaseRequest request) {
    return new LeasedAppend(append(transactions, id, channel, messages), null);
  }

  /** Appends in the caller's transaction. */
  List<AppendResult> join(
      Transactions transactions,
      Connection connection,
      ChannelIds channels,
      Channel channel,
      List<NewMessage> messages) {
    return transactions.join(
        "append",
        connection,
        session -> within(new Line(session, channels.of(session, channel), channel), messages));
  }

  /** Appends in the middle of a transaction that somebody else will end. */
  List<AppendResult> within(Line line, List<NewMessage> messages) throws SQLException {
    return new Appending(line, groups, messages).join();
  }
}
