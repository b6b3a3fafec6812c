package dev.mailroom.jdbc;

import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one message that is due at once and has no key, which most are: the shortest statement
 * that there is for it.
 *
 * <p>One with nothing but a payload has a shorter one still. The server is idle from one append of
 * a writer to its next, and slow to wake: what is done meanwhile is waited for twice, and a value
 * that need not be bound counts.
 */
final class PostgresRow {
  private static final String ONE =
      "INSERT INTO {message} (channel, {columns}) SELECT ?::int, "
          + Columns.except(
              "id", "?::uuid",
              "position", "n.number",
              "sequence", "n.number",
              "tenant", "?::text",
              "grouped", "?::smallint",
              "group_key", "?::text",
              "deduplication_key", "''",
              "collapse_key", "''",
              "contract", "?::text",
              "contract_version", "?::int",
              "content_type", "?::text",
              "payload", "{payload_value}",
              "headers", "?::text",
              "correlation_id", "?::text",
              "causation_id", "?::text",
              "trace_parent", "?::text",
              "trace_state", "?::text",
              "created_at", "n.now",
              "received_at", "COALESCE(?::bigint, n.now)",
              "visible_at", "n.now",
              "expires_at", "n.now + ?::bigint",
              "attempts", "0",
              "crashes", "0",
              "deferrals", "0",
              "parked_since", "NULL",
              "error_type", "NULL",
              "error_message", "NULL",
              "error_detail", "NULL",
              "checkpoints", "NULL")
          + " FROM (SELECT {next} AS number, COALESCE(?::bigint, "
          + PostgresDialect.NOW
          + """
          ) AS now) n
          {unknown} {gently}""";
  private static final String BARE =
      """
      INSERT INTO {message} (channel, id, position, sequence, tenant, grouped, group_key,
        deduplication_key, collapse_key, contract, contract_version, content_type, payload,
        created_at, received_at, visible_at, attempts, crashes, deferrals)
      SELECT ?::int, ?::uuid, n.number, n.number, '', 0, '', '', '', ?::text, ?::int, ?::text,
        {payload_value}, n.now, n.now, n.now, 0, 0, 0
      FROM (SELECT nextval('{number}') AS number, COALESCE(?::bigint, {now}) AS now) n
      RETURNING created_at"""
          .replace("{now}", PostgresDialect.NOW);
  private static final String UNKNOWN =
      """
      WHERE NOT EXISTS (SELECT 1 FROM {delayed} WHERE channel = ? AND id = ?)
        AND NOT EXISTS (SELECT 1 FROM {dead} WHERE channel = ? AND id = ?)""";
  private static final String UNGROUPED = ONE + " RETURNING created_at";
  private static final String GROUPED =
      "WITH added AS ("
          + ONE
          + """
           RETURNING channel, position, tenant, group_key, created_at)
          {earlier}
          turns AS (
            INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
            SELECT position, channel, 0, tenant, group_key FROM added {unless_earlier})
          SELECT created_at FROM added""";

  /**
   * A message of the same group that goes first and nobody has leased. While its row is locked it
   * cannot go away, so whoever removes it looks at the group after this append is committed. It is
   * looked for among the last few only, since remains of others may be in the way.
   */
  private static final String EARLIER =
      """
      , earlier AS MATERIALIZED (
        SELECT 1 FROM added a CROSS JOIN LATERAL (
          SELECT 1 FROM {message} WHERE channel = a.channel AND grouped = 1
            AND tenant = a.tenant AND group_key = a.group_key AND token IS NULL
            AND sequence < a.position AND sequence > a.position - 1000
          ORDER BY sequence DESC LIMIT 1 FOR KEY SHARE SKIP LOCKED) e),""";

  /** In a transaction of the store's own, which ends at once. */
  private static final String OWN_GROUPED =
      GROUPED
          .replace("{earlier}", EARLIER)
          .replace("{unless_earlier}", "WHERE NOT EXISTS (SELECT 1 FROM earlier)");

  /** In the caller's, which may stay open: nothing may wait for it. */
  private static final String JOINED_GROUPED =
      GROUPED.replace("{earlier}", ",").replace("{unless_earlier}", "");

  private static final String GENTLY = "ON CONFLICT (channel, id) DO NOTHING";

  /** By whether they are strict, grouped and fresh. */
  private static final String[] STATEMENTS = new String[8];

  static {
    for (int i = 0; i < STATEMENTS.length; i++) {
      STATEMENTS[i] = compose((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
    }
  }

  private PostgresRow() {}

  private static String compose(boolean strictly, boolean grouped, boolean fresh) {
    String grouping = strictly ? OWN_GROUPED : JOINED_GROUPED;
    String insert =
        (grouped ? grouping : UNGROUPED)
            .replace("{next}", grouped ? GroupStarts.NEXT : "nextval('{number}')")
            .replace("{unknown}", fresh ? "" : UNKNOWN)
            .replace("{gently}", strictly ? "" : GENTLY);
    if (!looks(strictly, grouped, fresh)) {
      return insert;
    }
    return strictly ? PostgresDialect.BY_INDEX + insert : PlannerSettings.appendForCaller(insert);
  }

  /** Whether the statement looks anything up, and so needs the settings that travel before it. */
  private static boolean looks(boolean strictly, boolean grouped, boolean fresh) {
    return !fresh || (grouped && strictly);
  }

  /**
   * When it was accepted, or null if it is stored already.
   *
   * @param strictly fails if it is among the ready ones, which is cheaper to look for, but not in
   *     somebody else's transaction; the store's own ends with this
   */
  static @Nullable Long insert(Line line, NewMessage message, boolean strictly)
      throws SQLException {
    return strictly && message.fresh() && isBare(message)
        ? insertBare(line, message)
        : insertAny(line, message, strictly);
  }

  private static boolean isBare(NewMessage message) {
    return message.envelope().routing().equals(Routing.NONE) && NewRows.isBare(message);
  }

  private static @Nullable Long insertBare(Line line, NewMessage message) throws SQLException {
    Payload payload = message.envelope().payload();
    return line.session()
        .call(BARE)
        .with(line.id(), message.id(), payload.contract().name(), payload.contract().version())
        .with(payload.contentType(), payload.bytes(), line.session().suppliedTime())
        .first(row -> row.getLong(1));
  }

  private static @Nullable Long insertAny(Line line, NewMessage message, boolean strictly)
      throws SQLException {
    Envelope envelope = message.envelope();
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    boolean grouped = NewRows.isGrouped(line.channel(), message);
    boolean fresh = message.fresh();
    Session session = line.session();
    Call call =
        session
            .call(STATEMENTS[(strictly ? 1 : 0) + (grouped ? 2 : 0) + (fresh ? 4 : 0)])
            .with(line.id(), envelope.id(), GroupKey.text(envelope.routing().tenant()), grouped)
            .with(GroupKey.text(envelope.routing().groupKey()), payload.contract().name())
            .with(payload.contract().version(), payload.contentType(), payload.bytes())
            .with(TextMap.encode(envelope.headers()), trace.correlationId(), trace.causationId())
            .with(trace.traceParent(), trace.traceState())
            .with(NewRows.receivedAt(message.schedule()))
            .with(NewRows.lifetime(message.schedule()))
            .with(session.suppliedTime());
    if (!fresh) {
      call.with(line.id(), envelope.id(), line.id(), envelope.id());
    }
    int number = looks(strictly, grouped, fresh) ? 2 : 1;
    List<Long> accepted = call.listOf(number, row -> row.getLong(1));
    return accepted.isEmpty() ? null : accepted.get(0);
  }
}
