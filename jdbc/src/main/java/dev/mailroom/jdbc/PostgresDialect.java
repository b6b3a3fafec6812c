package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** PostgreSQL 13 and later. */
final class PostgresDialect extends Dialect {
  /**
   * The time of the statement. Not clock_timestamp(), which is asked anew for every row and keeps
   * an index from being used up to it.
   */
  static final String NOW = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";

  /** Any number will do, as long as nobody else has it: "mailroom" in the first eight bytes. */
  private static final long MIGRATION_LOCK = 0x6d61696c726f6f6dL;

  static final String BY_INDEX = "SELECT " + PlannerSettings.OWN + ";\n";

  /** The same, for a transaction that is about to hold groups. */
  static final String BY_INDEX_ALONE =
      "SELECT " + PlannerSettings.OWN + ",\n  " + HeldGroups.ALONE + ";\n";

  private static final String IN_ORDER =
      "SELECT "
          + PlannerSettings.set(
              PlannerSettings.ENABLE_BITMAPSCAN, PlannerSettings.ENABLE_SORT, PlannerSettings.JIT);

  private final boolean isReadCommitted;
  private final Places places = new Places();
  private final Reach reach = new Reach();
  private final GroupStarts starts = new GroupStarts();
  private final PostgresGroups groups = new PostgresGroups(starts);

  PostgresDialect(boolean isReadCommitted) {
    this.isReadCommitted = isReadCommitted;
  }

  /** Asks the connection which isolation its transactions have unless told otherwise. */
  @Override
  PostgresDialect on(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW default_transaction_isolation")) {
      return new PostgresDialect(row.next() && row.getString(1).equals("read committed"));
    }
  }

  @Override
  PostgresGroups groups() {
    return groups;
  }

  @Override
  Claims claims(Groups same) {
    return new PostgresClaims(groups, places, reach, starts);
  }

  @Override
  Appends appends(Groups groups) {
    return new PostgresAppends(groups, places, reach, starts);
  }

  @Override
  Settles settles(Groups same) {
    return new PostgresSettles(groups, places, starts);
  }

  @Override
  String token() {
    return PostgresLeases.TOKEN;
  }

  @Override
  void addLease(Line line, NewLease lease) throws SQLException {
    PostgresLeases.add(line, lease);
  }

  /** The row is written anew, and so lies elsewhere. */
  @Override
  void writeCheckpoints(Line line, UUID token, UUID id, @Nullable String checkpoints)
      throws SQLException {
    line.session()
        .call(Checkpoints.WRITE + " RETURNING ctid")
        .with(checkpoints, line.id(), id)
        .list(row -> row.getString(1))
        .forEach(tid -> places.moved(token, id, tid));
  }

  @Override
  Deadlines deadlines(@Nullable Duration most, Duration grace) {
    return Deadlines.watching(most, grace);
  }

  /** Sets the isolation of this transaction only, and only where that changes something. */
  @Override
  void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    if (!isReadCommitted) {
      execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
  }

  @Override
  void prepare(Session session) throws SQLException {
    session.call(BY_INDEX).list(row -> 0);
  }

  /**
   * A planner that believes that there are few rows collects and sorts them all before it takes the
   * first: quick if it is right, and without a bound if its statistics are old.
   */
  @Override
  void walkAlongIndexes(Session session) throws SQLException {
    session.call(IN_ORDER).list(row -> 0);
  }

  /**
   * Each is looked up by its key. For a list of keys, a planner that takes the table for empty
   * would rather read any index that begins with the channel from end to end.
   */
  @Override
  String byIds(String table) {
    return """
        ctid = ANY (ARRAY(
          SELECT r.place FROM (SELECT ?::int AS channel) c
          CROSS JOIN unnest(ARRAY[{list}]::uuid[]) AS k(id)
          CROSS JOIN LATERAL (
            SELECT t.ctid AS place FROM %s t WHERE t.channel = c.channel AND t.id = k.id
            LIMIT 1) r))"""
        .formatted(table);
  }

  @Override
  <T> List<T> lock(Line line, KeyedRows rows, Collection<UUID> keys, Call.Reader<T> reader)
      throws SQLException {
    return rows.readByLookUp(line, keys, reader);
  }

  @Override
  <T> T inCallersTransaction(Session session, Transactions.Work<T> work) throws SQLException {
    return PlannerSettings.runForCaller(session, work);
  }

  /** Whether a statement of its own, outside of a transaction, reads what is committed. */
  @Override
  boolean needsNoTransaction() {
    return isReadCommitted;
  }

  @Override
  String bytesType() {
    return "BYTEA";
  }

  @Override
  String jsonType() {
    return "JSONB";
  }

  @Override
  String json(String bytes) {
    return "convert_from(" + bytes + ", 'UTF8')::jsonb";
  }

  @Override
  @Nullable String weakness(Session session) throws SQLException {
    List<String> off =
        session
            .call(
                """
                SELECT name FROM pg_settings
                WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off' ORDER BY name""")
            .list(row -> row.getString(1));
    return off.isEmpty()
        ? null
        : "PostgreSQL does not wait for the disk: off are " + String.join(", ", off) + ".";
  }

  @Override
  boolean looksUpRows() {
    return true;
  }

  @Override
  String name() {
    return "postgresql";
  }

  @Override
  long now(Session session) throws SQLException {
    return session.call("SELECT " + NOW).list(row -> row.getLong(1)).get(0);
  }

  @Override
  long[] numbers(Session session, int count) throws SQLException {
    List<Long> numbers =
        session
            .call("SELECT " + GroupStarts.NEXT + " FROM generate_series(1, ?)")
            .with(count)
            .list(row -> row.getLong(1));
    return numbers.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  @Override
  boolean insertAbsent(Session session, String insert, @Nullable Object... values)
      throws SQLException {
    return session.call(insert + " ON CONFLICT DO NOTHING").with(values).update() == 1;
  }

  @Override
  int insertAbsentAll(Session session, String insert, List<@Nullable Object[]> rows)
      throws SQLException {
    return IntStream.of(session.call(insert + " ON CONFLICT DO NOTHING").batch(rows)).sum();
  }

  @Override
  void beforeMigration(Session session) throws SQLException {
    session.call("SELECT pg_advisory_xact_lock(?)").with(MIGRATION_LOCK).list(row -> 0);
    super.beforeMigration(session);
  }
}
