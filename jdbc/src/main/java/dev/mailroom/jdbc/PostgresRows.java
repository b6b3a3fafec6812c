package dev.mailroom.jdbc;

import dev.mailroom.Envelope;
import dev.mailroom.Payload;
import dev.mailroom.Trace;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.NewMessage.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts messages that are due at once, one or many in one statement. */
final class PostgresRows {
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
          ON CONFLICT (channel, id) DO NOTHING""";
  private static final String ONE_UNGROUPED = ONE + " RETURNING created_at";
  private static final String ONE_GROUPED =
      "WITH added AS ("
          + ONE
          + """
           RETURNING channel, position, tenant, group_key, created_at),
          turns AS (
            INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
            SELECT position, channel, 0, tenant, group_key FROM added)
          SELECT created_at FROM added""";

  private static final String MANY =
      PostgresDialect.BY_INDEX
          + """
      WITH time AS MATERIALIZED (SELECT COALESCE(?::bigint, %s) AS now),
      given AS MATERIALIZED (
        SELECT nextval('{number}') AS number, r.*
        FROM unnest(?::uuid[], ?::text[], ?::smallint[], ?::text[], ?::text[], ?::int[],
          ?::text[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
          ?::bigint[], ?::bigint[])
          AS r(id, tenant, grouped, group_key, contract, contract_version, content_type, payload,
            headers, correlation_id, causation_id, trace_parent, trace_state, received_at,
            lifetime)),
      known AS (
        SELECT 1 FROM given g CROSS JOIN LATERAL (
          SELECT 1 FROM {message} WHERE channel = ? AND id = g.id
          UNION ALL SELECT 1 FROM {delayed} WHERE channel = ? AND id = g.id
          UNION ALL SELECT 1 FROM {dead} WHERE channel = ? AND id = g.id
          LIMIT 1) k
        LIMIT 1),
      added AS (
        INSERT INTO {message} (channel, {columns})
        SELECT ?::int, %s
        FROM given g, time t WHERE NOT EXISTS (SELECT 1 FROM known)
        ORDER BY g.id %s
        RETURNING channel, position, grouped, tenant, group_key),
      turns AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT min(position), channel, 0, tenant, group_key FROM added WHERE grouped = 1
        GROUP BY channel, tenant, group_key)
      SELECT now, (SELECT count(*) FROM added) FROM time"""
              .replaceFirst("%s", PostgresDialect.NOW)
              .replaceFirst(
                  "%s",
                  Columns.except(
                      "id", "g.id",
                      "position", "g.number",
                      "sequence", "g.number",
                      "tenant", "g.tenant",
                      "grouped", "g.grouped",
                      "group_key", "g.group_key",
                      "deduplication_key", "''",
                      "collapse_key", "''",
                      "payload", "{payload_given}",
                      "created_at", "t.now",
                      "received_at", "COALESCE(g.received_at, t.now)",
                      "visible_at", "t.now",
                      "expires_at", "t.now + g.lifetime",
                      "attempts", "0",
                      "crashes", "0",
                      "deferrals", "0",
                      "parked_since", "NULL",
                      "error_type", "NULL",
                      "error_message", "NULL",
                      "error_detail", "NULL",
                      "checkpoints", "NULL"));
  private static final String STRICTLY = MANY.replace("%s", "");
  private static final String GENTLY = MANY.replace("%s", "ON CONFLICT DO NOTHING");

  /** The longest lifetime that a statement adds to a time without going over the end. */
  private static final long LONGEST = Micros.NEVER / 2;

  private PostgresRows() {}

  /** Some were stored and some were not. */
  static final class PartlyStoredException extends SQLException {
    private static final long serialVersionUID = 1L;

    PartlyStoredException() {
      super("Some messages were stored by another at the same moment", SqlErrors.CONFLICT);
    }
  }

  /** When it was accepted, or null if it is stored already. */
  static @Nullable Long insertOne(Line line, NewMessage message) throws SQLException {
    Envelope envelope = message.envelope();
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    boolean grouped = NewRows.isGrouped(line, message);
    Session session = line.session();
    return session
        .call(grouped ? ONE_GROUPED : ONE_UNGROUPED)
        .with(line.id(), envelope.id(), GroupKey.text(envelope.routing().tenant()), grouped)
        .with(GroupKey.text(envelope.routing().groupKey()), payload.contract().name())
        .with(payload.contract().version(), payload.contentType(), payload.bytes())
        .with(TextMap.encode(envelope.headers()), trace.correlationId(), trace.causationId())
        .with(trace.traceParent(), trace.traceState())
        .with(receivedAt(message.schedule()), lifetime(message.schedule()))
        .with(session.suppliedTime(), line.id(), envelope.id(), line.id(), envelope.id())
        .first(row -> row.getLong(1));
  }

  /**
   * When they were accepted, or null if one of them is stored already and so none was stored now.
   *
   * @param strictly fails if somebody stores one of them at the same moment; otherwise that is
   *     found out without an error of the database
   */
  static @Nullable Long insert(Line line, List<NewMessage> messages, boolean strictly)
      throws SQLException {
    Session session = line.session();
    int channel = line.id();
    long[] answer =
        session
            .call(strictly ? STRICTLY : GENTLY)
            .with(session.suppliedTime())
            .with(new Arrays(line, messages).values())
            .with(channel, channel, channel, channel)
            .listOfSecond(row -> new long[] {row.getLong(1), row.getLong(2)})
            .get(0);
    if (answer[1] > 0 && answer[1] < messages.size()) {
      throw new PartlyStoredException();
    }
    return answer[1] == 0 ? null : answer[0];
  }

  private static @Nullable Long receivedAt(Schedule schedule) {
    return schedule.receivedAt() == null ? null : Micros.floor(schedule.receivedAt());
  }

  private static @Nullable Long lifetime(Schedule schedule) {
    Duration lifetime = schedule.lifetime();
    return lifetime == null ? null : Math.min(LONGEST, Micros.after(0, lifetime));
  }

  /** The messages column by column. */
  private static final class Arrays {
    private final UUID[] ids;
    private final Short[] grouped;
    private final Integer[] versions;
    private final byte[][] payloads;
    private final @Nullable String[][] texts;
    private final @Nullable Long[] receivedAt;
    private final @Nullable Long[] lifetimes;
    private final Connection connection;

    Arrays(Line line, List<NewMessage> messages) {
      int size = messages.size();
      connection = line.session().connection;
      ids = new UUID[size];
      grouped = new Short[size];
      versions = new Integer[size];
      payloads = new byte[size][];
      texts = new @Nullable String[9][size];
      receivedAt = new Long[size];
      lifetimes = new Long[size];
      for (int i = 0; i < size; i++) {
        fill(i, messages.get(i), NewRows.isGrouped(line, messages.get(i)));
      }
    }

    private void fill(int i, NewMessage message, boolean isGrouped) {
      Envelope envelope = message.envelope();
      Payload payload = envelope.payload();
      Trace trace = envelope.trace();
      ids[i] = envelope.id();
      grouped[i] = (short) (isGrouped ? 1 : 0);
      versions[i] = payload.contract().version();
      payloads[i] = payload.bytes();
      texts[0][i] = GroupKey.text(envelope.routing().tenant());
      texts[1][i] = GroupKey.text(envelope.routing().groupKey());
      texts[2][i] = payload.contract().name();
      texts[3][i] = payload.contentType();
      texts[4][i] = TextMap.encode(envelope.headers());
      texts[5][i] = trace.correlationId();
      texts[6][i] = trace.causationId();
      texts[7][i] = trace.traceParent();
      texts[8][i] = trace.traceState();
      receivedAt[i] = receivedAt(message.schedule());
      lifetimes[i] = lifetime(message.schedule());
    }

    Object[] values() throws SQLException {
      return new Object[] {
        connection.createArrayOf("uuid", ids),
        text(0),
        connection.createArrayOf("int2", grouped),
        text(1),
        text(2),
        connection.createArrayOf("int4", versions),
        text(3),
        connection.createArrayOf("bytea", payloads),
        text(4),
        text(5),
        text(6),
        text(7),
        text(8),
        connection.createArrayOf("int8", receivedAt),
        connection.createArrayOf("int8", lifetimes)
      };
    }

    private java.sql.Array text(int column) throws SQLException {
      return connection.createArrayOf("text", texts[column]);
    }
  }
}
