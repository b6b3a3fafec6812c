package dev.mailroom.jdbc;

import dev.mailroom.jdbc.PostgresBatch.Needs;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.NewMessage;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages column by column, as one statement takes many of them. */
final class PostgresArrays {
  /** When a given message becomes visible; what lies beyond the end of time is its end. */
  static final String VISIBLE_AT =
      """
      CASE WHEN g.due_at IS NULL THEN t.now + LEAST(g.delay, 9223372036854775807 - t.now)
        ELSE GREATEST(g.due_at, t.now) END""";

  private final Connection connection;
  private final Line line;
  private final List<NewMessage> messages;
  private final Needs needs;

  PostgresArrays(Line line, List<NewMessage> messages, Needs needs) {
    this.connection = line.session().connection;
    this.line = line;
    this.messages = messages;
    this.needs = needs;
  }

  /** The names of the arrays and the types of what is in them. */
  static Map<String, String> types(Needs needs) {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("id", "uuid");
    types.put("tenant", "text");
    types.put("grouped", "int2");
    types.put("group_key", "text");
    types.put("contract", "text");
    types.put("contract_version", "int4");
    types.put("content_type", "text");
    types.put("payload", "bytea");
    types.put("headers", "text");
    types.put("correlation_id", "text");
    types.put("causation_id", "text");
    types.put("trace_parent", "text");
    types.put("trace_state", "text");
    types.put("received_at", "int8");
    types.put("lifetime", "int8");
    if (needs.keys()) {
      types.put("deduplication_key", "text");
      types.put("fingerprint", "bytea");
    }
    if (needs.collapse()) {
      types.put("collapse_key", "text");
    }
    if (needs.delays()) {
      types.put("due_at", "int8");
      types.put("delay", "int8");
    }
    return types;
  }

  static String names(Needs needs) {
    return String.join(", ", types(needs).keySet());
  }

  static String marks(Map<String, String> types) {
    return types.values().stream()
        .map(type -> "?::" + type + "[]")
        .collect(Collectors.joining(", "));
  }

  /** The columns of a new row, given one of the messages to store. */
  static String columns(Needs needs) {
    return Columns.except(
        "id", "g.id",
        "payload", "{payload_given}",
        "position", "g.number",
        "sequence", "g.number",
        "deduplication_key", needs.keys() ? "g.deduplication_key" : "''",
        "collapse_key", needs.collapse() ? "g.collapse_key" : "''",
        "created_at", "g.now",
        "received_at", "COALESCE(g.received_at, g.now)",
        "visible_at", "g.visible_at",
        "expires_at", "g.now + g.lifetime",
        "attempts", "0",
        "crashes", "0",
        "deferrals", "0",
        "parked_since", "NULL",
        "error_type", "NULL",
        "error_message", "NULL",
        "error_detail", "NULL",
        "checkpoints", "NULL");
  }

  Array ids() throws SQLException {
    return connection.createArrayOf("uuid", messages.stream().map(NewMessage::id).toArray());
  }

  /** The arrays, in the order of their names. */
  @Nullable Object[] values() throws SQLException {
    return values(types(needs));
  }

  /** The arrays of some columns, in the order of their names; null for one that has no value. */
  @Nullable Object[] values(Map<String, String> types) throws SQLException {
    List<@Nullable Object> arrays = new ArrayList<>();
    for (Map.Entry<String, String> each : types.entrySet()) {
      Function<NewMessage, @Nullable Object> column = column(each.getKey());
      @Nullable Object[] values =
          each.getValue().equals("bytea") ? new byte[messages.size()][] : array(each.getValue());
      boolean some = false;
      for (int i = 0; i < values.length; i++) {
        values[i] = column.apply(messages.get(i));
        some |= values[i] != null;
      }
      arrays.add(some ? connection.createArrayOf(each.getValue(), values) : null);
    }
    return arrays.toArray();
  }

  private @Nullable Object[] array(String type) {
    int size = messages.size();
    return switch (type) {
      case "int2" -> new Short[size];
      case "int4" -> new Integer[size];
      case "int8" -> new Long[size];
      case "uuid" -> new java.util.UUID[size];
      default -> new String[size];
    };
  }

  private Function<NewMessage, @Nullable Object> column(String name) {
    return switch (name) {
      case "id" -> NewMessage::id;
      case "grouped" -> message -> (short) (NewRows.isGrouped(line.channel(), message) ? 1 : 0);
      case "received_at" -> message -> NewRows.receivedAt(message.schedule());
      case "lifetime" -> message -> NewRows.lifetime(message.schedule());
      case "due_at" -> message -> message.schedule().due() instanceof Due.At at ? at(at) : null;
      case "delay" ->
          message -> message.schedule().due() instanceof Due.After after ? delay(after) : null;
      default -> message -> ofEnvelope(name, message.envelope());
    };
  }

  private static @Nullable Object ofEnvelope(String name, Envelope envelope) {
    Payload payload = envelope.payload();
    Trace trace = envelope.trace();
    return switch (name) {
      case "tenant" -> GroupKey.text(envelope.routing().tenant());
      case "group_key" -> GroupKey.text(envelope.routing().groupKey());
      case "deduplication_key" -> GroupKey.text(envelope.routing().deduplicationKey());
      case "collapse_key" -> GroupKey.text(envelope.routing().collapseKey());
      case "fingerprint" ->
          envelope.routing().deduplicationKey() == null ? null : Fingerprint.of(payload);
      case "contract" -> payload.contract().name();
      case "contract_version" -> payload.contract().version();
      case "content_type" -> payload.contentType();
      case "payload" -> payload.bytes();
      case "headers" -> TextMap.encode(envelope.headers());
      case "correlation_id" -> trace.correlationId();
      case "causation_id" -> trace.causationId();
      case "trace_parent" -> trace.traceParent();
      case "trace_state" -> trace.traceState();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Long at(Due.At due) {
    return Micros.ceiling(due.time());
  }

  private static Long delay(Due.After due) {
    return Micros.after(0, due.delay());
  }
}
