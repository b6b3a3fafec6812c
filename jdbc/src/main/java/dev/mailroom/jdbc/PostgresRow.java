package dev.mailroom.jdbc;

import dev.mailroom.Envelope;
import dev.mailroom.Payload;
import dev.mailroom.Trace;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one message that is due at once and has no key, which most are: the shortest statement
 * that there is for it.
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
          + " FROM (SELECT nextval('{number}') AS number, COALESCE(?::bigint, "
          + PostgresDialect.NOW
          + """
          ) AS now) n
          WHERE NOT EXISTS (SELECT 1 FROM {delayed} WHERE channel = ? AND id = ?)
            AND NOT EXISTS (SELECT 1 FROM {dead} WHERE channel = ? AND id = ?)
          %s""";
  private static final String UNGROUPED = ONE + " RETURNING created_at";
  private static final String GROUPED =
      "WITH added AS ("
          + ONE
          + """
           RETURNING channel, position, tenant, group_key, created_at),
          turns AS (
            INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
            SELECT position, channel, 0, tenant, group_key FROM added)
          SELECT created_at FROM added""";
  private static final String GENTLY = "ON CONFLICT (channel, id) DO NOTHING";
  private static final String[] STATEMENTS = {
    UNGROUPED.replace("%s", ""),
    UNGROUPED.replace("%s", GENTLY),
    GROUPED.replace("%s", ""),
    GROUPED.replace("%s", GENTLY)
  };

  private PostgresRow() {}

  /**
   * When it was accepted, or null if it is stored already.
   *
   * @param strictly fails if it is among the ready ones, which is cheaper to look for, but not in
   *     somebody else's transaction
   */
  static @Nullable Long insert(Line line, NewMessage message, boolean strictly)
      throws SQLException {
    Envelope envelope = message.envelope();
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    boolean grouped = NewRows.isGrouped(line, message);
    Session session = line.session();
    return session
        .call(STATEMENTS[(grouped ? 2 : 0) + (strictly ? 0 : 1)])
        .with(line.id(), envelope.id(), GroupKey.text(envelope.routing().tenant()), grouped)
        .with(GroupKey.text(envelope.routing().groupKey()), payload.contract().name())
        .with(payload.contract().version(), payload.contentType(), payload.bytes())
        .with(TextMap.encode(envelope.headers()), trace.correlationId(), trace.causationId())
        .with(trace.traceParent(), trace.traceState())
        .with(PostgresArrays.receivedAt(message.schedule()))
        .with(PostgresArrays.lifetime(message.schedule()))
        .with(session.suppliedTime(), line.id(), envelope.id(), line.id(), envelope.id())
        .first(row -> row.getLong(1));
  }
}
