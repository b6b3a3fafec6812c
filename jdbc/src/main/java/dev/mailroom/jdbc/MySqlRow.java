package dev.mailroom.jdbc;

import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one message that is due at once and has no key. Its time is the server's and comes back
 * with the answer, in the place of a number that a counter would have given; and so can its own
 * number come from the statement.
 */
final class MySqlRow {
  private static final String TIME = "LAST_INSERT_ID(COALESCE(?, " + MySqlDialect.NOW + "))";

  /** What was set can be read further to the right. */
  private static final String INSERT =
      "INSERT INTO {message} (channel, {columns}) VALUES (?, "
          + Columns.except(
              "id", "?",
              "position", "{place_given}",
              "sequence", "position",
              "tenant", "?",
              "grouped", "?",
              "group_key", "?",
              "deduplication_key", "''",
              "collapse_key", "''",
              "contract", "?",
              "contract_version", "?",
              "content_type", "?",
              "payload", "{payload_value}",
              "headers", "?",
              "correlation_id", "?",
              "causation_id", "?",
              "trace_parent", "?",
              "trace_state", "?",
              "created_at", TIME,
              "received_at", "COALESCE(?, created_at)",
              "visible_at", "created_at",
              "expires_at", "created_at + ?",
              "attempts", "0",
              "crashes", "0",
              "deferrals", "0",
              "parked_since", "NULL",
              "error_type", "NULL",
              "error_message", "NULL",
              "error_detail", "NULL",
              "checkpoints", "NULL")
          + ")";

  private static final String GIVEN = INSERT.replace("{place_given}", "?");
  private static final String DRAWN = INSERT.replace("{place_given}", MySqlCounter.NEXT);

  private MySqlRow() {}

  /** Whether it is due at once. */
  static boolean fits(NewMessage message) {
    return message.schedule().due().equals(NewMessage.Schedule.NOW.due());
  }

  /**
   * Stores it; fails if it is there already.
   *
   * @param number its place; null if the statement is to draw one
   */
  static void insert(Line line, NewMessage message, @Nullable Long number) throws SQLException {
    Envelope envelope = message.envelope();
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    Session session = line.session();
    Call call = session.call(number == null ? DRAWN : GIVEN).with(line.id(), envelope.id());
    if (number != null) {
      call.with(number);
    }
    Object time = session.suppliedTime();
    call.with(GroupKey.text(envelope.routing().tenant()))
        .with(NewRows.isGrouped(line.channel(), message))
        .with(GroupKey.text(envelope.routing().groupKey()), payload.contract().name())
        .with(payload.contract().version(), payload.contentType(), payload.bytes())
        .with(TextMap.encode(envelope.headers()), trace.correlationId(), trace.causationId())
        .with(trace.traceParent(), trace.traceState(), time)
        .with(NewRows.receivedAt(message.schedule()), NewRows.lifetime(message.schedule()));
    if (time == Call.NO_NUMBER) {
      session.now(call.insertId());
    } else {
      call.update();
    }
  }
}
