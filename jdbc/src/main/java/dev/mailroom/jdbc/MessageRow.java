package dev.mailroom.jdbc;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Timing;
import dev.mailroom.messages.Trace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a table holds it: {@link Columns#ALL}, in that order.
 *
 * @param envelope what its writer decided
 * @param position its place in the scan
 * @param grouped whether its group is ordered
 * @param times when things happen to it
 * @param progress how far it has come
 * @param checkpoints the outcomes of its steps
 */
record MessageRow(
    Envelope envelope,
    long position,
    boolean grouped,
    Times times,
    Progress progress,
    Map<String, String> checkpoints) {

  /** When things happen to it, in microseconds. */
  record Times(long createdAt, long receivedAt, long visibleAt, @Nullable Long expiresAt) {}

  /** Reads the row from that column on. */
  static MessageRow read(Dialect dialect, ResultSet row, int first) throws SQLException {
    int at = first;
    UUID id = dialect.getId(row, at++);
    long position = row.getLong(at++);
    long sequence = row.getLong(at++);
    String tenant = row.getString(at++);
    boolean grouped = row.getInt(at++) != 0;
    Routing routing =
        new Routing(tenant, row.getString(at++), row.getString(at++), row.getString(at++));
    Contract contract = new Contract(row.getString(at++), row.getInt(at++));
    Payload payload = new Payload(contract, row.getString(at++), row.getBytes(at++));
    Map<String, String> headers = TextMap.decode(row.getString(at++));
    Trace trace =
        new Trace(
            row.getString(at++), row.getString(at++), row.getString(at++), row.getString(at++));
    Times times =
        new Times(row.getLong(at++), row.getLong(at++), row.getLong(at++), number(row, at++));
    int attempts = row.getInt(at++);
    int crashes = row.getInt(at++);
    int deferrals = row.getInt(at++);
    Long parkedSince = number(row, at++);
    LastError error = error(row.getString(at++), row.getString(at++), row.getString(at++));
    Progress progress =
        new Progress(sequence, attempts, crashes, deferrals, Micros.instant(parkedSince), error);
    return new MessageRow(
        new Envelope(id, payload, routing, trace, headers),
        position,
        grouped,
        times,
        progress,
        TextMap.decode(row.getString(at)));
  }

  static @Nullable Long number(ResultSet row, int index) throws SQLException {
    long value = row.getLong(index);
    return row.wasNull() ? null : value;
  }

  static @Nullable LastError error(
      @Nullable String type, @Nullable String message, @Nullable String detail) {
    return type == null
        ? null
        : new LastError(
            type, Objects.requireNonNullElse(message, ""), Objects.requireNonNullElse(detail, ""));
  }

  UUID id() {
    return envelope.id();
  }

  long sequence() {
    return progress.sequence();
  }

  boolean isSuspect() {
    return progress.crashes() > 0;
  }

  boolean hasExpired(long now) {
    return times.expiresAt() != null && times.expiresAt() <= now;
  }

  /** The group it is ordered in, or null. */
  @Nullable GroupKey group() {
    return grouped ? GroupKey.of(envelope.routing()) : null;
  }

  /** With one attempt more: it is leased. */
  MessageRow leased() {
    return with(
        new Progress(
            progress.sequence(),
            progress.attempts() + 1,
            progress.crashes(),
            progress.deferrals(),
            progress.parkedSince(),
            progress.lastError()));
  }

  /** With another last error. */
  MessageRow failed(LastError error) {
    return with(
        new Progress(
            progress.sequence(),
            progress.attempts(),
            progress.crashes(),
            progress.deferrals(),
            progress.parkedSince(),
            error));
  }

  private MessageRow with(Progress other) {
    return new MessageRow(envelope, position, grouped, times, other, checkpoints);
  }

  Message toMessage(String channel) {
    Timing timing =
        new Timing(
            Micros.instant(times.createdAt()),
            Micros.instant(times.receivedAt()),
            Micros.instant(times.visibleAt()),
            Micros.instant(times.expiresAt()));
    return new Message(channel, envelope, timing, progress, checkpoints);
  }
}
