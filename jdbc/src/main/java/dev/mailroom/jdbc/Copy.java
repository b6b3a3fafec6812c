package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies messages from one table to another, with other values in some columns. A message whose id
 * is in the other table already is passed over. That can be so if two have appended one id at the
 * same moment, one to be handled at once and one later: neither could see the other. Where the two
 * meet they become one.
 */
final class Copy {
  private final String into;
  private final String from;
  private final List<String> changed;
  private final List<String> added;
  private final List<String> literals;

  /**
   * Says what is copied.
   *
   * @param changed columns that get other values, in the order of {@link Columns}
   * @param added columns that only the other table has
   */
  Copy(String from, String into, List<String> changed, List<String> added) {
    this(from, into, changed, added, List.of());
  }

  private Copy(
      String from, String into, List<String> changed, List<String> added, List<String> literals) {
    this.literals = literals;
    this.from = from;
    this.into = into;
    this.changed = changed;
    this.added = added;
  }

  /** The same, with a literal in the place of one more column, for all messages. */
  Copy with(String column, String literal) {
    List<String> more = new ArrayList<>(literals);
    more.add(column);
    more.add(literal);
    return new Copy(from, into, changed, added, more);
  }

  /** A message, and its values for the columns that are changed and added. */
  record Row(UUID id, List<@Nullable Object> values) {
    static Row of(UUID id, @Nullable Object... values) {
      return new Row(id, Arrays.asList(values));
    }
  }

  void run(Line line, List<Row> rows) throws SQLException {
    if (!rows.isEmpty()) {
      line.session().dialect.copyAbsent(line.session(), this, line.id(), rows);
    }
  }

  /** Copies one: takes its values, then the channel and its id. */
  String one() {
    return insert(false) + " FROM " + from + " WHERE channel = ? AND id = ?";
  }

  /** What {@link #one} takes. */
  static @Nullable Object[] valuesOfOne(int channel, Row row) {
    List<@Nullable Object> values = new ArrayList<>();
    values.addAll(row.values());
    values.add(channel);
    values.add(row.id());
    return values.toArray();
  }

  /** Copies many: takes the id and the values of each, then the channel. */
  String many(int count) {
    StringBuilder rows = new StringBuilder("SELECT ? AS new_id");
    names().forEach(name -> rows.append(", ? AS new_").append(name));
    String more = " UNION ALL SELECT ?" + ", ?".repeat(names().size());
    rows.append(more.repeat(count - 1));
    return insert(true)
        + " FROM ("
        + rows
        + ") given JOIN "
        + from
        + " ON id = new_id WHERE channel = ?";
  }

  /** What {@link #many} takes for one of them. */
  static @Nullable Object[] valuesOfMany(Row row) {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(row.id());
    values.addAll(row.values());
    return values.toArray();
  }

  /** The table that is copied to. */
  String into() {
    return into;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(changed);
    names.addAll(added);
    return names;
  }

  private String insert(boolean named) {
    List<String> replacements = new ArrayList<>(literals);
    for (String name : changed) {
      replacements.add(name);
      replacements.add(value(named, name));
    }
    StringBuilder text = new StringBuilder("INSERT INTO " + into + " (channel, {columns}");
    added.forEach(name -> text.append(", ").append(name));
    text.append(") SELECT channel, ").append(Columns.except(replacements.toArray(String[]::new)));
    added.forEach(name -> text.append(", ").append(value(named, name)));
    return text.toString();
  }

  private static String value(boolean named, String name) {
    return named ? "new_" + name : "?";
  }
}
