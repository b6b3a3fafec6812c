package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MySQL 8 and MariaDB 10.6 and later, with what they share. */
final class MySqlDialect extends Dialect {
  /**
   * The time of the statement. In UTC throughout: local time names an hour of every autumn twice.
   */
  static final String NOW =
      "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', UTC_TIMESTAMP(6))";

  /** As long as a token: a row that grows when it is leased does not fit into its page any more. */
  private static final String NO_TOKEN = "X'00000000000000000000000000000000'";

  private static final int DUPLICATE = 1062;

  /** Rows of one statement: few different statements, each far below what a server takes. */
  private static final int MOST_ROWS = 128;

  private static final int MOST_BYTES = 1 << 20;
  private static final int LOCK_SECONDS = 60;

  /** Settings of the drivers under which they do not say how many rows a statement found. */
  private static final Pattern MISCOUNTING =
      Pattern.compile("\\b(useAffectedRows|useBulkStmts)=true\\b", Pattern.CASE_INSENSITIVE);

  private final boolean hasSequences;
  private final MySqlCounter counter = new MySqlCounter();

  /**
   * For one of the two.
   *
   * @param hasSequences whether it can make them, as MariaDB can
   */
  MySqlDialect(boolean hasSequences) {
    this.hasSequences = hasSequences;
  }

  /**
   * Refuses a connection that miscounts: the store tells by counts who was faster. A Galera cluster
   * takes no sequence that grows by one and keeps numbers ready.
   */
  @Override
  Dialect on(Connection connection) throws SQLException {
    Matcher setting = MISCOUNTING.matcher(connection.getMetaData().getURL());
    if (setting.find()) {
      throw new StoreException(
          "The JDBC URL sets "
              + setting.group()
              + ". With it the driver does not count the rows that a statement finds, and the store"
              + " needs to know: remove the setting.");
    }
    return hasSequences && isCluster(connection) ? new MySqlDialect(false) : this;
  }

  private static boolean isCluster(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW VARIABLES WHERE Variable_name = 'wsrep_on'")) {
      return row.next() && row.getString(2).equalsIgnoreCase("ON");
    }
  }

  @Override
  String counter() {
    return hasSequences
        ? "SEQUENCE IF NOT EXISTS {number} CACHE 1000 ENGINE = InnoDB"
        : "TABLE IF NOT EXISTS {number} (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY)"
            + " ENGINE = InnoDB";
  }

  @Override
  String bytesType() {
    return "LONGBLOB";
  }

  @Override
  @Nullable String weakness(Session session) throws SQLException {
    int flush =
        session.call("SELECT @@innodb_flush_log_at_trx_commit").list(row -> row.getInt(1)).get(0);
    return flush == 1
        ? null
        : "The server does not wait for the disk: innodb_flush_log_at_trx_commit is "
            + flush
            + ", and only 1 waits.";
  }

  @Override
  Appends appends(Groups groups) {
    return new MySqlAppends(groups, counter);
  }

  @Override
  Claims claims(Groups groups) {
    return new MySqlClaims(groups);
  }

  @Override
  Settles settles(Groups groups) {
    return new MySqlSettles(groups);
  }

  @Override
  String along(String index) {
    return "FORCE INDEX (" + index + ")";
  }

  @Override
  String token() {
    return "NULLIF(token, " + NO_TOKEN + ")";
  }

  /** The group of a grouped message, and nothing for the others: they share one index. */
  @Override
  String lane() {
    return "lane";
  }

  @Override
  String place() {
    return "place";
  }

  @Override
  String scanOfTenant() {
    return "lane = '' AND place > ? AND place <= ? ORDER BY place";
  }

  @Override
  String noToken() {
    return NO_TOKEN;
  }

  @Override
  String unwritten() {
    return "token = " + NO_TOKEN;
  }

  @Override
  String json(String bytes) {
    return "CONVERT(" + bytes + " USING utf8mb4)";
  }

  @Override
  String normalJson(String bytes) {
    return "JSON_EXTRACT(" + json(bytes) + ", '$')"; // there is no cast to JSON that both know
  }

  @Override
  String name() {
    return "mysql";
  }

  @Override
  String quote(String identifier) {
    return '`' + identifier + '`';
  }

  @Override
  boolean schemasAreCatalogs() {
    return true;
  }

  @Override
  long now(Session session) throws SQLException {
    return session.call("SELECT " + NOW).list(row -> row.getLong(1)).get(0);
  }

  @Override
  long[] numbers(Session session, int count) throws SQLException {
    return counter.draw(session, count);
  }

  /**
   * Not INSERT IGNORE, which would also cut off what is too long. A statement that fails leaves the
   * transaction as it was.
   */
  @Override
  boolean insertAbsent(Session session, String insert, @Nullable Object... values)
      throws SQLException {
    try {
      return session.call(insert).with(values).update() == 1;
    } catch (SQLException e) {
      if (isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Whether a row is there already. */
  static boolean isDuplicate(SQLException error) {
    return error.getErrorCode() == DUPLICATE;
  }

  /**
   * Many rows to a statement: a batch of the driver does not always say what it has done. If one of
   * the rows is there, none of its statement is stored, and each is tried alone.
   */
  @Override
  int insertAbsentAll(Session session, String insert, List<@Nullable Object[]> rows)
      throws SQLException {
    int count = 0;
    for (int from = 0; from < rows.size(); ) {
      List<@Nullable Object[]> piece = rows.subList(from, from + fitting(rows, from));
      count +=
          insertAbsent(session, insert, piece)
              ? piece.size()
              : super.insertAbsentAll(session, insert, piece);
      from += piece.size();
    }
    return count;
  }

  private static boolean insertAbsent(Session session, String insert, List<@Nullable Object[]> rows)
      throws SQLException {
    String row = insert.substring(insert.lastIndexOf('('));
    Call call = session.call(insert + (", " + row).repeat(rows.size() - 1));
    rows.forEach(call::with);
    try {
      call.update();
      return true;
    } catch (SQLException e) {
      if (isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  /** How many rows from there on go into one statement: a power of two, and at least one. */
  private static int fitting(List<@Nullable Object[]> rows, int from) {
    int most = Math.min(MOST_ROWS, rows.size() - from);
    long bytes = 0;
    int count = 0;
    while (count < most && bytes <= MOST_BYTES) {
      for (@Nullable Object value : rows.get(from + count)) {
        bytes += value instanceof byte[] content ? content.length : 0;
        bytes += value instanceof String text ? text.length() : 0;
      }
      count++;
    }
    return Integer.highestOneBit(Math.max(1, bytes > MOST_BYTES ? count - 1 : count));
  }

  /**
   * Many rows to a statement, because MariaDB's driver sends every batch of inserts in a way in
   * which its server copies no rows.
   */
  @Override
  void copyAbsent(Session session, Copy copy, int channel, List<Copy.Row> rows)
      throws SQLException {
    List<@Nullable Object[]> values = new ArrayList<>(rows.size());
    rows.forEach(row -> values.add(Copy.valuesOfMany(row)));
    for (int from = 0; from < rows.size(); ) {
      int count = fitting(values, from);
      String unlessThere = " ON DUPLICATE KEY UPDATE " + copy.into() + ".channel = VALUES(channel)";
      Call call = session.call(copy.many(count) + unlessThere);
      values.subList(from, from + count).forEach(call::with);
      call.with(channel).update();
      from += count;
    }
  }

  @Override
  void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
    statement.setBytes(index, Ids.pack(List.of(id)));
  }

  @Override
  UUID getId(ResultSet row, int index) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(index));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** For this transaction only: the default, REPEATABLE READ, locks the gaps between rows. */
  @Override
  void begin(Connection connection) throws SQLException {
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    connection.setAutoCommit(false);
  }

  /** One node at a time: a statement that changes tables commits, so a row lock would not last. */
  @Override
  void beforeMigration(Session session) throws SQLException {
    Integer locked =
        session
            .call("SELECT GET_LOCK(?, ?)")
            .with(lockName(session), LOCK_SECONDS)
            .first(row -> row.getInt(1));
    if (locked == null || locked != 1) {
      throw new SQLException("Another node is still migrating the schema", SqlErrors.CONFLICT);
    }
    super.beforeMigration(session);
  }

  /**
   * The lock belongs to the connection, which lives on in its pool. Whoever gets it next must find
   * the version that was reached, hence the commit before.
   */
  @Override
  void afterMigration(Session session) throws SQLException {
    session.connection.commit();
    session.call("SELECT RELEASE_LOCK(?)").with(lockName(session)).list(row -> 0);
  }

  /** At most 64 characters, as MySQL wants it. */
  private static String lockName(Session session) {
    return session.schema.table("migration");
  }
}
