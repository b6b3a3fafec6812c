package dev.mailroom.jdbc;

import java.util.List;

/** The columns that a message has in every table that can hold it. */
final class Columns {
  static final List<String> ALL =
      List.of(
          "id",
          "position",
          "sequence",
          "tenant",
          "grouped",
          "group_key",
          "deduplication_key",
          "collapse_key",
          "contract",
          "contract_version",
          "content_type",
          "payload",
          "headers",
          "correlation_id",
          "causation_id",
          "trace_parent",
          "trace_state",
          "created_at",
          "received_at",
          "visible_at",
          "expires_at",
          "attempts",
          "crashes",
          "deferrals",
          "parked_since",
          "error_type",
          "error_message",
          "error_detail",
          "checkpoints");

  /** How many they are. */
  static final int SIZE = ALL.size();

  /** All of them, for a statement. */
  static final String LIST = String.join(", ", ALL);

  /** As many values for a statement that stores a new message. */
  static final String MARKS =
      String.join(
          ", ",
          ALL.stream().map(column -> column.equals("payload") ? "{payload_value}" : "?").toList());

  /** The attempts of a message that is leased, whether or not its row carries the token. */
  static final String ATTEMPTS_OF_LEASED =
      "CASE WHEN {unwritten} THEN attempts + 1 ELSE attempts END";

  private Columns() {}

  /** All of them, with other expressions in the place of some: name, expression, name, ... */
  static String except(String... replacements) {
    return prefixed("", replacements);
  }

  /** The same, with something before the names of the others. */
  static String prefixed(String prefix, String... replacements) {
    StringBuilder text = new StringBuilder();
    for (String column : ALL) {
      String expression = prefix + column;
      for (int i = 0; i < replacements.length; i += 2) {
        expression = column.equals(replacements[i]) ? replacements[i + 1] : expression;
      }
      text.append(text.isEmpty() ? "" : ", ").append(expression);
    }
    return text.toString();
  }
}
