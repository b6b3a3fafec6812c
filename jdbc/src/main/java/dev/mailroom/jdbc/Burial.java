package dev.mailroom.jdbc;

import dev.mailroom.AfterDeath;
import dev.mailroom.LastError;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes dead letters of messages. */
final class Burial {
  private static final String COPY =
      "INSERT INTO {dead} (channel, {columns}, died_at, number, parks) SELECT channel, "
          + Columns.except("error_type", "?", "error_message", "?", "error_detail", "?")
          + ", ?, ?, ? FROM ";
  private static final String OF = " WHERE channel = ? AND id = ?";

  private Burial() {}

  /** A message, why it dies, and whether it is in a group. */
  record Dying(UUID id, LastError error, boolean grouped) {}

  /**
   * Buries messages in the order given. Where the channel parks groups, a grouped one keeps its
   * place, and its group cannot go past it.
   *
   * @param table where they are: {@code {message}} or {@code {delayed}}
   */
  static void bury(Line line, String table, List<Dying> dying) throws SQLException {
    long[] numbers = line.session().numbers(dying.size());
    boolean parking = line.policy().afterDeath() == AfterDeath.PARK;
    List<@Nullable Object[]> sets = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      Dying each = dying.get(i);
      LastError error = Texts.storable(each.error());
      sets.add(
          new Object[] {
            error.type(),
            error.message(),
            error.detail(),
            line.session().now(),
            numbers[i],
            parking && each.grouped(),
            line.id(),
            each.id()
          });
    }
    line.session().call(COPY + table + OF).batch(sets);
    Messages.delete(line, table, dying.stream().map(Dying::id).toList());
  }
}
