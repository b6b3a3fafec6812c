package dev.mailroom.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What follows WHERE, with its values; texts compare as they are, without wildcards. */
final class Condition {
  private final List<@Nullable Object> values = new ArrayList<>();
  private String text = "";

  /** The condition, its WHERE included; empty if there is none. */
  String text() {
    return text;
  }

  @Nullable Object[] values() {
    return values.toArray();
  }

  Condition and(String condition) {
    text += (text.isEmpty() ? " WHERE " : " AND ") + condition;
    return this;
  }

  /** Adds a part that may be absent. */
  Condition and(String condition, @Nullable Object value) {
    if (value != null) {
      and(condition);
      values.add(value);
    }
    return this;
  }

  /** The same on rows that have a column in the place of an expression. */
  Condition replacing(String expression, String column) {
    text = text.replace(expression, column);
    return this;
  }

  /** Adds that the last error's type or message contains a text, in any case; may be absent. */
  Condition mentioning(@Nullable String error) {
    if (error != null) {
      String like = "%" + escape(error.toLowerCase(Locale.ROOT)) + "%";
      and("(LOWER(error_type) LIKE ? ESCAPE '!' OR LOWER(error_message) LIKE ? ESCAPE '!')");
      values.add(like);
      values.add(like);
    }
    return this;
  }

  private static String escape(String sought) {
    return sought.replace("!", "!!").replace("%", "!%").replace("_", "!_");
  }
}
