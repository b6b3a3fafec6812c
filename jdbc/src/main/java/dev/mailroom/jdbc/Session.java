package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a verb works with: a connection in a transaction, at one time of the store's clock. */
final class Session {
  /** The most values in one list of a statement; more are asked for in pieces. */
  private static final int PIECE = 512;

  final Connection connection;
  final Dialect dialect;
  final Schema schema;
  private final @Nullable Long suppliedTime;
  private final Moment moment;
  private final Deadlines deadlines;

  Session(
      Connection connection,
      Dialect dialect,
      Schema schema,
      @Nullable Long suppliedTime,
      Deadlines deadlines) {
    this.connection = connection;
    this.dialect = dialect;
    this.schema = schema;
    this.suppliedTime = suppliedTime;
    this.moment = new Moment();
    moment.time = suppliedTime;
    this.deadlines = deadlines;
  }

  private Session(Session other, Schema schema) {
    this.connection = other.connection;
    this.dialect = other.dialect;
    this.schema = schema;
    this.suppliedTime = other.suppliedTime;
    this.moment = other.moment;
    this.deadlines = other.deadlines;
  }

  /** The time of the verb, once it is known: the same on all sets of tables. */
  private static final class Moment {
    private @Nullable Long time;
  }

  /** The same transaction on another set of tables. */
  Session on(Schema other) {
    return other == schema ? this : new Session(this, other);
  }

  /** The store's time: the same throughout the verb. */
  long now() throws SQLException {
    Long known = moment.time;
    if (known == null) {
      known = dialect.now(this);
      moment.time = known;
    }
    return known;
  }

  /** The time for a statement that asks the server itself unless one is supplied. */
  Object suppliedTime() {
    return suppliedTime == null ? Call.NO_NUMBER : suppliedTime;
  }

  /** What a statement found the server's time to be. */
  void now(long found) {
    moment.time = found;
  }

  Call call(String template) {
    return new Call(this, schema.render(template));
  }

  /** A statement with a deadline. */
  PreparedStatement prepare(String sql) throws SQLException {
    return limited(connection.prepareStatement(sql));
  }

  /** The same, of which the numbers that it was given can be asked for. */
  PreparedStatement prepare(String sql, int keys) throws SQLException {
    return limited(connection.prepareStatement(sql, keys));
  }

  /** A statement, given what the driver made of it, with a deadline. */
  PreparedStatement limited(PreparedStatement statement) throws SQLException {
    try {
      deadlines.limit(statement);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /** Carries out a statement from {@link #prepare}. */
  <T> T run(PreparedStatement statement, Deadlines.Execution<T> execution) throws SQLException {
    return deadlines.run(statement, execution);
  }

  /** Whether two texts, of which it is known that they are JSON, read the same once stored. */
  boolean isSameJson(byte[] one, byte[] other) throws SQLException {
    String normal = dialect.normalJson("?");
    return call("SELECT " + normal + ", " + normal)
        .with(one, other)
        .list(row -> Arrays.equals(row.getBytes(1), row.getBytes(2)))
        .get(0);
  }

  /** Fresh numbers, growing, after all numbers that were given out before. */
  long[] numbers(int count) throws SQLException {
    return count == 0 ? new long[0] : dialect.numbers(this, count);
  }

  long number() throws SQLException {
    return numbers(1)[0];
  }

  /** Does something for a piece of a list. */
  interface Piece<T, R> {
    R run(List<T> piece) throws SQLException;
  }

  /** Runs a statement for every piece of the list and puts what it finds together. */
  <T, R> List<R> pieces(Collection<T> all, Piece<T, List<R>> statement) throws SQLException {
    List<T> list = List.copyOf(all);
    List<R> found = new ArrayList<>();
    for (int from = 0; from < list.size(); from += PIECE) {
      found.addAll(statement.run(list.subList(from, Math.min(list.size(), from + PIECE))));
    }
    return found;
  }

  /** Runs a statement for every piece of the list and adds up how many rows it changed. */
  <T> int sum(Collection<T> all, Piece<T, Integer> statement) throws SQLException {
    return pieces(all, piece -> List.of(statement.run(piece))).stream()
        .mapToInt(Integer::intValue)
        .sum();
  }
}
