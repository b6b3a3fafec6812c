package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Groups.Turn;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of accepted messages on their way into their tables. */
final class NewRows {
  private static final String READY =
      "INSERT INTO {message} (channel, {columns}) VALUES (?, " + Columns.MARKS + ")";
  private static final String DELAYED =
      "INSERT INTO {delayed} (channel, placed, {columns}) VALUES (?, 0, " + Columns.MARKS + ")";

  /** The longest lifetime that a statement adds to a time without going over the end. */
  private static final long LONGEST = Micros.NEVER / 2;

  private final Line line;
  private final List<@Nullable Object[]> ready = new ArrayList<>();
  private final List<@Nullable Object[]> delayed = new ArrayList<>();
  private final Map<GroupKey, Turn> turns = new LinkedHashMap<>();

  NewRows(Line line, List<NewMessage> messages) throws SQLException {
    this(line, messages, line.session().numbers(messages.size()));
  }

  /** The same with numbers that are theirs already. */
  NewRows(Line line, List<NewMessage> messages, long[] numbers) throws SQLException {
    this.line = line;
    long now = line.session().now();
    Map<java.util.UUID, @Nullable Object[]> sorted = new java.util.TreeMap<>(Ids.ORDER);
    for (int i = 0; i < numbers.length; i++) {
      NewMessage message = messages.get(i);
      long visibleAt = visibleAt(message.schedule().due(), now);
      boolean grouped = isGrouped(line.channel(), message);
      sorted.put(message.id(), values(line.id(), message, numbers[i], now, visibleAt, grouped));
      if (grouped && visibleAt <= now) {
        GroupKey group = GroupKey.of(message.envelope().routing());
        turns.putIfAbsent(group, new Turn(numbers[i], group, false));
      }
    }
    int visible = 1 + Columns.ALL.indexOf("visible_at");
    for (@Nullable Object[] row : sorted.values()) {
      boolean later = row[visible] instanceof Long time && time > now;
      (later ? delayed : ready).add(row);
    }
  }

  /** Inserts all of them; false if one of the ids was taken meanwhile. */
  boolean insert() throws SQLException {
    Session session = line.session();
    return session.dialect.insertAbsentAll(session, READY, ready) == ready.size()
        && session.dialect.insertAbsentAll(session, DELAYED, delayed) == delayed.size();
  }

  /** One turn for every group that has got a message. */
  List<Turn> turns() {
    return List.copyOf(turns.values());
  }

  /** Whether the message belongs to an ordered group in that channel. */
  static boolean isGrouped(Channel channel, NewMessage message) {
    return channel.ordering() != Ordering.NONE && message.envelope().routing().groupKey() != null;
  }

  /** Whether it has neither headers nor a trace nor times of its own. */
  static boolean isBare(NewMessage message) {
    return message.envelope().headers().isEmpty()
        && message.envelope().trace().equals(Trace.NONE)
        && message.schedule().equals(NewMessage.Schedule.NOW);
  }

  /** When a message becomes visible; a time that is past is now. */
  static long visibleAt(Due due, long now) {
    return due instanceof Due.At at
        ? Math.max(now, Micros.ceiling(at.time()))
        : Micros.after(now, ((Due.After) due).delay());
  }

  /** When it was received, if that is known. */
  static @Nullable Long receivedAt(NewMessage.Schedule schedule) {
    return schedule.receivedAt() == null ? null : Micros.floor(schedule.receivedAt());
  }

  /** How long it lives, as a statement adds it to a time. */
  static @Nullable Long lifetime(NewMessage.Schedule schedule) {
    Duration lifetime = schedule.lifetime();
    return lifetime == null ? null : Math.min(LONGEST, Micros.after(0, lifetime));
  }

  private static @Nullable Object[] values(
      int channel, NewMessage message, long number, long now, long visibleAt, boolean grouped) {
    Envelope envelope = message.envelope();
    Routing routing = envelope.routing();
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    Instant receivedAt = message.schedule().receivedAt();
    var lifetime = message.schedule().lifetime();
    return new @Nullable Object[] {
      channel,
      envelope.id(),
      number,
      number,
      GroupKey.text(routing.tenant()),
      grouped,
      GroupKey.text(routing.groupKey()),
      GroupKey.text(routing.deduplicationKey()),
      GroupKey.text(routing.collapseKey()),
      payload.contract().name(),
      payload.contract().version(),
      payload.contentType(),
      payload.bytes(),
      TextMap.encode(envelope.headers()),
      trace.correlationId(),
      trace.causationId(),
      trace.traceParent(),
      trace.traceState(),
      now,
      receivedAt == null ? now : Micros.floor(receivedAt),
      visibleAt,
      lifetime == null ? null : Micros.after(now, lifetime),
      0,
      0,
      0,
      null,
      null,
      null,
      null,
      null
    };
  }
}
