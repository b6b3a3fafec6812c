package dev.mailroom.jdbc;

import dev.mailroom.messages.LastError;
import dev.mailroom.options.AfterDeadLetter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Makes dead letters of messages. */
final class Burial {
  private static final List<String> ERROR = List.of("error_type", "error_message", "error_detail");
  private static final List<String> DEATH = List.of("died_at", "number", "parks");

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
    bury(line, table, new Copy(table, "{dead}", ERROR, DEATH), dying);
  }

  /** The same for messages that are leased. */
  static void buryLeased(Line line, List<Dying> dying) throws SQLException {
    Copy copy = new Copy("{message}", "{dead}", ERROR, DEATH);
    bury(line, "{message}", copy.with("attempts", Columns.ATTEMPTS_OF_LEASED), dying);
  }

  private static void bury(Line line, String table, Copy copy, List<Dying> dying)
      throws SQLException {
    long[] numbers = line.session().numbers(dying.size());
    boolean parking = line.policy().afterDeadLetter() == AfterDeadLetter.PARK;
    List<Copy.Row> rows = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      Dying each = dying.get(i);
      LastError error = Texts.storable(each.error());
      rows.add(
          Copy.Row.of(
              each.id(),
              error.type(),
              error.message(),
              error.detail(),
              line.session().now(),
              numbers[i],
              parking && each.grouped()));
    }
    copy.run(line, rows);
    Messages.delete(line, table, dying.stream().map(Dying::id).toList());
  }
}
