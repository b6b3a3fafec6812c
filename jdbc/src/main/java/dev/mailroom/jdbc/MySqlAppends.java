package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Appends on MySQL and MariaDB. Messages of which nothing has to be looked up are only inserted,
 * for which any isolation level will do, and their numbers are forgotten later: every round trip
 * that is saved counts, since there is no way to send two statements at once.
 */
final class MySqlAppends extends Appends {
  /** After how many appends their numbers are forgotten. */
  private static final int FORGETTING = 64;

  private static final String DRAWN = "SELECT id FROM {number} ORDER BY id LIMIT ? {skip}";

  /** Each by its key: the server might as well look at all rows, and wait for the open ones. */
  private static final String FORGET =
      "DELETE n FROM {number} AS n FORCE INDEX (PRIMARY) WHERE n.id IN ({list})";

  private final AtomicInteger appends = new AtomicInteger();

  MySqlAppends(Groups groups) {
    super(groups);
  }

  @Override
  List<AppendResult> append(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    if (!isPlain(messages)) {
      return super.append(transactions, id, channel, messages);
    }
    if (appends.incrementAndGet() % FORGETTING == 0) {
      transactions.run("forget numbers", MySqlAppends::forget);
    }
    return transactions
        .each("append", session -> insert(new Line(session, id, channel), messages))
        .orElseGet(() -> super.append(transactions, id, channel, Appending.again(messages)));
  }

  /** Whether nothing of these can be there already, unless an id was not as new as was said. */
  private static boolean isPlain(List<NewMessage> messages) {
    Set<UUID> ids = new HashSet<>();
    return !messages.isEmpty()
        && messages.stream()
            .allMatch(
                message ->
                    message.fresh()
                        && !message.strict()
                        && AppendPlan.keyOf(message) == null
                        && AppendPlan.collapseKeyOf(message) == null
                        && ids.add(message.id()));
  }

  /** Stores all of them in a transaction of its own; or none, if one was there after all. */
  private Optional<List<AppendResult>> insert(Line line, List<NewMessage> messages)
      throws SQLException {
    Connection connection = line.session().connection;
    Dialect.execute(connection, "START TRANSACTION");
    try {
      NewRows rows = new NewRows(line, messages, numbers(line.session(), messages.size()));
      if (!rows.insert()) {
        Dialect.execute(connection, "ROLLBACK");
        return Optional.empty();
      }
      groups.add(line, rows.turns());
      Dialect.execute(connection, "COMMIT");
    } catch (SQLException | RuntimeException e) {
      rollBack(connection, e);
      if (e instanceof SQLException error && SqlErrors.isConflict(error)) {
        return Optional.empty();
      }
      throw e;
    }
    Instant now = Micros.instant(line.session().now());
    return Optional.of(
        messages.stream().map(each -> new AppendResult(each.id(), true, now)).toList());
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      Dialect.execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /** The row of the counter stays for a while. */
  private static long[] numbers(Session session, int count) throws SQLException {
    long[] numbers = new long[count];
    long first = MySqlDialect.drawBlock(session);
    Arrays.setAll(numbers, i -> first + i);
    return numbers;
  }

  /** Removes rows of the counter, except those of transactions that are still open. */
  private static int forget(Session session) throws SQLException {
    List<Long> drawn = session.call(DRAWN).with(4 * FORGETTING).list(row -> row.getLong(1));
    return drawn.isEmpty() ? 0 : session.call(FORGET).with(drawn).update();
  }
}
