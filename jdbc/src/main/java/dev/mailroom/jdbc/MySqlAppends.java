package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends on MySQL and MariaDB. Messages of which nothing has to be looked up are only inserted,
 * for which any isolation level will do, and their numbers are forgotten later: every round trip
 * that is saved counts, since there is no way to send two statements at once.
 */
final class MySqlAppends extends Appends {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  /** How many rows of the counter are removed at once. */
  private static final int FORGETTING = 64;

  /**
   * Each by its key: the server might as well look at all rows, and wait for those of transactions
   * that are open.
   */
  private static final String FORGET =
      "DELETE {number} FROM {number} FORCE INDEX (PRIMARY) WHERE id IN ({list})";

  /** Rows of the counter that were drawn and are still there. */
  private final Map<Schema, Queue<Long>> drawn = new ConcurrentHashMap<>();

  MySqlAppends(Groups groups) {
    super(groups);
  }

  @Override
  List<AppendResult> append(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    if (!isPlain(messages)) {
      return super.append(transactions, id, channel, messages);
    }
    Optional<List<AppendResult>> results =
        transactions.each(
            "append",
            session -> {
              Line line = new Line(session, id, channel);
              Optional<List<AppendResult>> stored = insert(line, messages);
              forget(line.session());
              return stored;
            });
    return results.orElseGet(
        () -> super.append(transactions, id, channel, Appending.again(messages)));
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
      long[] numbers = numbers(line.session(), messages.size());
      NewRows rows = new NewRows(line, messages, numbers);
      if (!rows.insert()) {
        Dialect.execute(connection, "ROLLBACK");
        return Optional.empty();
      }
      groups.add(line, rows.turns());
      Dialect.execute(connection, "COMMIT");
      drawn(line.session()).add(MySqlDialect.blockOf(numbers[0]));
    } catch (SQLException | RuntimeException | Error e) {
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

  private static void rollBack(Connection connection, Throwable cause) {
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

  private Queue<Long> drawn(Session session) {
    return drawn.computeIfAbsent(session.schema, schema -> new ConcurrentLinkedQueue<>());
  }

  /** Removes rows of the counter, if there are enough. Nothing is lost by those that stay. */
  private void forget(Session session) {
    Queue<Long> all = drawn(session);
    if (all.size() < FORGETTING) {
      return;
    }
    List<Long> some = new ArrayList<>();
    for (Long next = all.poll(); next != null; next = all.poll()) {
      some.add(next);
    }
    try {
      Collections.sort(some);
      session.sum(some, piece -> session.call(FORGET).with(piece).update());
    } catch (SQLException e) {
      LOG.debug("{} rows of the counter stay where they are.", some.size(), e);
    }
  }
}
