package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Appends on MySQL and MariaDB. Messages of which nothing has to be looked up are only inserted,
 * for which any isolation level will do: every round trip that is saved counts, since there is no
 * way to send two statements at once. Where numbers come from a sequence, one takes one.
 */
final class MySqlAppends extends Appends {
  private final MySqlCounter counter;

  MySqlAppends(Groups groups, MySqlCounter counter) {
    super(groups);
    this.counter = counter;
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
              return isOneStatement(line, messages)
                  ? insertOne(line, messages)
                  : insert(line, messages);
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

  /** Whether a statement can do everything: nothing but its row is to be written. */
  private boolean isOneStatement(Line line, List<NewMessage> messages) throws SQLException {
    NewMessage first = messages.get(0);
    return messages.size() == 1
        && MySqlRow.fits(first)
        && !NewRows.isGrouped(line.channel(), first)
        && counter.isSequence(line.session());
  }

  /** Stores one of its own accord; nothing if it was there after all. */
  private static Optional<List<AppendResult>> insertOne(Line line, List<NewMessage> messages)
      throws SQLException {
    try {
      MySqlRow.insert(line, messages.get(0), null);
      return accepted(line, messages);
    } catch (SQLException e) {
      return unlessRaced(e);
    }
  }

  /** Stores all of them in a transaction of its own; or none, if one was there after all. */
  private Optional<List<AppendResult>> insert(Line line, List<NewMessage> messages)
      throws SQLException {
    Connection connection = line.session().connection;
    long[] numbers;
    Dialect.execute(connection, "START TRANSACTION");
    try {
      numbers = counter.drawBlock(line.session(), messages.size());
      if (!insert(line, messages, numbers)) {
        Dialect.execute(connection, "ROLLBACK");
        return Optional.empty();
      }
      Dialect.execute(connection, "COMMIT");
    } catch (SQLException e) {
      rollBack(connection, e);
      return unlessRaced(e);
    } catch (RuntimeException | Error e) {
      rollBack(connection, e);
      throw e;
    }
    counter.used(line.session(), numbers[0]);
    return accepted(line, messages);
  }

  /** Stores them and the turns of their groups; false if one of the ids was taken meanwhile. */
  private boolean insert(Line line, List<NewMessage> messages, long[] numbers) throws SQLException {
    NewMessage first = messages.get(0);
    if (messages.size() == 1 && MySqlRow.fits(first)) {
      MySqlRow.insert(line, first, numbers[0]);
      if (NewRows.isGrouped(line.channel(), first)) {
        GroupKey group = GroupKey.of(first.envelope().routing());
        groups.add(line, List.of(new Groups.Turn(numbers[0], group, false)));
      }
      return true;
    }
    NewRows rows = new NewRows(line, messages, numbers);
    if (rows.insert()) {
      groups.add(line, rows.turns());
      return true;
    }
    return false;
  }

  private static Optional<List<AppendResult>> accepted(Line line, List<NewMessage> messages)
      throws SQLException {
    Instant now = Micros.instant(line.session().now());
    return Optional.of(
        messages.stream().map(each -> new AppendResult(each.id(), true, now)).toList());
  }

  /** Nothing, if another was faster or the id is taken: then it is to be looked for. */
  private static Optional<List<AppendResult>> unlessRaced(SQLException error) throws SQLException {
    if (SqlErrors.isConflict(error) || MySqlDialect.isDuplicate(error)) {
      return Optional.empty();
    }
    throw error;
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      Dialect.execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
