package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The small numbers that stand for channels; remembered, since they never change. */
final class ChannelIds {
  private static final String FIND = "SELECT id FROM {channel} WHERE name = ?";
  private static final String ADD = "INSERT INTO {channel} (name) VALUES (?)";

  /** Beyond this many channels the rest is asked for every time. */
  private static final int MOST = 100_000;

  private final Transactions transactions;
  private final Dialect dialect;
  private final Map<String, Integer> known = new ConcurrentHashMap<>();

  ChannelIds(Transactions transactions, Dialect dialect) {
    this.transactions = transactions;
    this.dialect = dialect;
  }

  /** The channel's number; a channel that nobody has used is added at once. */
  int of(Channel channel) {
    Integer id = known.get(channel.name());
    if (id == null) {
      id = transactions.run("find a channel", session -> findOrAdd(session, channel.name()));
      remember(channel.name(), id);
    }
    return id;
  }

  /**
   * The channel's number, asked for in the middle of the caller's transaction. Where others can
   * write meanwhile, a new channel is added beside the transaction, so that nobody who adds the
   * same one waits for it; where they cannot, it is added inside, and forgotten if that is undone.
   */
  int of(Session session, Channel channel) throws SQLException {
    Integer id = known.get(channel.name());
    if (id != null) {
      return id;
    }
    return dialect.hasManyWriters() ? of(channel) : findOrAdd(session, channel.name());
  }

  private void remember(String name, int id) {
    if (known.size() < MOST) {
      known.put(name, id);
    }
  }

  private int findOrAdd(Session session, String name) throws SQLException {
    Integer id = find(session, name);
    if (id == null) {
      dialect.insertAbsent(session, ADD, name);
      id = find(session, name);
    }
    if (id == null) {
      throw new SQLException(
          "The channel '" + name + "' is being added by another", SqlErrors.CONFLICT);
    }
    return id;
  }

  private static @Nullable Integer find(Session session, String name) throws SQLException {
    return session.call(FIND).with(name).first(row -> row.getInt(1));
  }
}
