package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one database does in its own way. The base is what most share: row locks that can be
 * skipped, ids as a type of their own, a transaction per verb.
 */
abstract class Dialect {

  /** The dialect of the database behind the connection. */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    Dialect dialect = named(product);
    if (dialect == null) {
      throw new StoreException(
          "There is no dialect for the database '"
              + product
              + "': use PostgreSQL, MySQL, MariaDB, H2 or SQLite.");
    }
    return dialect.on(connection);
  }

  /** The dialect of the databases of that name, in any case of letters, or null. */
  static @Nullable Dialect named(String product) {
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "postgresql" -> new PostgresDialect(true);
      case "h2" -> new H2Dialect();
      case "sqlite" -> new SqliteDialect();
      case "mysql" -> new MySqlDialect(false);
      case "mariadb" -> new MySqlDialect(true);
      default -> null;
    };
  }

  /** The same, knowing what the server behind the connection is set to. */
  Dialect on(Connection connection) throws SQLException {
    return this;
  }

  /** The folder of its migrations. */
  abstract String name();

  /** The server's time, in microseconds since the epoch. */
  abstract long now(Session session) throws SQLException;

  /** Fresh numbers, growing. */
  abstract long[] numbers(Session session, int count) throws SQLException;

  /** Inserts a row unless one with its key is there or is being written; says whether it did. */
  abstract boolean insertAbsent(Session session, String insert, @Nullable Object... values)
      throws SQLException;

  /** Inserts rows in the order given; says how many were not there. */
  int insertAbsentAll(Session session, String insert, List<@Nullable Object[]> rows)
      throws SQLException {
    int count = 0;
    for (@Nullable Object[] row : rows) {
      count += insertAbsent(session, insert, row) ? 1 : 0;
    }
    return count;
  }

  /** Copies rows in the order given, except those that are there. */
  void copyAbsent(Session session, Copy copy, int channel, List<Copy.Row> rows)
      throws SQLException {
    List<@Nullable Object[]> values = new ArrayList<>(rows.size());
    rows.forEach(row -> values.add(Copy.valuesOfOne(channel, row)));
    insertAbsentAll(session, copy.one(), values);
  }

  Groups groups() {
    return new Groups();
  }

  Claims claims(Groups groups) {
    return new Claims(groups);
  }

  Appends appends(Groups groups) {
    return new Appends(groups);
  }

  Settles settles(Groups groups) {
    return new Settles(groups);
  }

  /** The type of a column for bytes. */
  abstract String bytesType();

  /** What numbers come from, as a statement that creates it says. */
  String counter() {
    return "SEQUENCE IF NOT EXISTS {number}";
  }

  /** The type of a column for JSON. */
  String jsonType() {
    return "JSON";
  }

  /** Bytes, of which it is known that they are JSON, as a value for such a column. */
  abstract String json(String bytes);

  /** The same as it reads when it comes out of such a column. */
  String normalJson(String bytes) {
    return json(bytes);
  }

  String quote(String identifier) {
    return '"' + identifier + '"';
  }

  /** Whether an index is named with its schema when it is created. */
  boolean qualifiesIndexes() {
    return false;
  }

  /** Locks what a query finds. */
  String lock() {
    return "FOR UPDATE";
  }

  /** Locks what a query finds and passes over what others have locked. */
  String skipLocked() {
    return "FOR UPDATE SKIP LOCKED";
  }

  /** Makes a query walk along an index of its table, whatever the server knows about the table. */
  String along(String index) {
    return "";
  }

  /**
   * How long statements may take. Where there is no server that can be slow to answer, and that
   * cancels statements, a limit on how long locks are waited for does.
   *
   * @param grace how much longer than a statement may take the network may be silent
   */
  Deadlines deadlines(@Nullable Duration most, Duration grace) {
    return new Deadlines(most, grace);
  }

  /** Why an acknowledged write can be lost, for people; null if it cannot. */
  abstract @Nullable String weakness(Session session) throws SQLException;

  /** Whether somebody else can write while a transaction is open. */
  boolean hasManyWriters() {
    return true;
  }

  void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
    statement.setObject(index, id);
  }

  UUID getId(ResultSet row, int index) throws SQLException {
    return row.getObject(index, UUID.class);
  }

  /** Under which lease a row of {@code {message}} is, or null. */
  String token() {
    return "token";
  }

  /** What stands for a token in a row that carries none. */
  String noToken() {
    return "NULL";
  }

  /** Whether a row of {@code {message}} carries no token. */
  String unwritten() {
    return "token IS NULL";
  }

  /** The column of {@code {message}} by which an index finds the messages of an ordered group. */
  String lane() {
    return "group_key";
  }

  /** The column by which that index sorts them. */
  String place() {
    return "sequence";
  }

  /** How the ungrouped messages of one tenant are gone through, between two positions. */
  String scanOfTenant() {
    return "position > ? AND position <= ? ORDER BY position";
  }

  /** Adds the row of a lease. */
  void addLease(Line line, NewLease lease) throws SQLException {
    LeaseRows.add(line, lease);
  }

  /** Writes the checkpoints of a message that is leased. */
  void writeCheckpoints(Line line, UUID token, UUID id, @Nullable String checkpoints)
      throws SQLException {
    line.session().call(Checkpoints.WRITE).with(checkpoints, line.id(), id).update();
  }

  /** Begins a transaction on a connection that is in none. */
  abstract void begin(Connection connection) throws SQLException;

  /** What comes first in a transaction of the store's own. */
  void prepare(Session session) throws SQLException {}

  /** Makes the rest of the transaction walk along indexes, so that a limit is a bound. */
  void walkAlongIndexes(Session session) throws SQLException {}

  /** Says which rows of a table are meant by a channel and a list of ids. */
  String byIds(String table) {
    return "channel = ? AND id IN ({list})";
  }

  /** Reads and locks rows by their keys. */
  <T> List<T> lock(Line line, KeyedRows rows, Collection<UUID> keys, Call.Reader<T> reader)
      throws SQLException {
    return rows.readByList(line, keys, reader);
  }

  /** Runs statements in a transaction of the caller, whose others are planned as before. */
  <T> T inCallersTransaction(Session session, Transactions.Work<T> work) throws SQLException {
    return work.run(session);
  }

  void commit(Connection connection) throws SQLException {
    connection.commit();
  }

  void rollback(Connection connection) throws SQLException {
    connection.rollback();
  }

  /** Whether an index is used to compare several columns at once with several values. */
  boolean looksUpRows() {
    return false;
  }

  /** Whether a single statement needs no transaction around it. */
  boolean needsNoTransaction() {
    return true;
  }

  /** What comes before the tables are created, in the same transaction if there can be one. */
  void beforeMigration(Session session) throws SQLException {
    String name = session.schema.quotedName();
    if (name != null) {
      execute(session.connection, "CREATE SCHEMA IF NOT EXISTS " + name);
    }
  }

  /** What comes after a migration, however it went, on the same connection. */
  void afterMigration(Session session) throws SQLException {}

  /** Whether the driver calls a schema a catalog. */
  boolean schemasAreCatalogs() {
    return false;
  }

  /** Whether a migration has failed only because another node does the same at the same time. */
  boolean isMigrationRace(SQLException error) {
    return false;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
