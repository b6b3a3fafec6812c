package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Groups.Turn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes ready what is due, the earliest first, but no more than a claim has time for. What is ready
 * or dead already, because the same id was appended twice at the same moment, stays as it is.
 */
class DueRows {
  private static final String DUE =
      """
      SELECT id, placed, sequence, grouped, tenant, group_key, CASE WHEN EXISTS (
        SELECT 1 FROM {dead} dead WHERE dead.channel = waiting.channel AND dead.id = waiting.id)
        THEN 1 ELSE 0 END
      FROM {delayed} waiting WHERE channel = ? AND crashes = 0 AND visible_at <= ?
      ORDER BY visible_at, sequence LIMIT ? {skip}""";
  private static final String DUE_SUSPECTS =
      """
      SELECT id, placed, sequence, grouped, tenant, group_key, CASE WHEN EXISTS (
        SELECT 1 FROM {dead} dead WHERE dead.channel = waiting.channel AND dead.id = waiting.id)
        THEN 1 ELSE 0 END
      FROM {delayed} waiting WHERE channel = ? AND crashes > 0 AND grouped = 1
        AND visible_at <= ?
      ORDER BY visible_at, sequence LIMIT ? {skip}""";
  private static final Copy MOVE =
      new Copy("{delayed}", "{message}", List.of("position", "sequence"), List.of());
  private static final String DUE_TURNS =
      """
      SELECT position, tenant, group_key FROM {turn_later}
      WHERE channel = ? AND due_at <= ? ORDER BY due_at LIMIT ? {skip}""";
  private static final String DROP_TURNS = "DELETE FROM {turn_later} WHERE position IN ({list})";
  private static final String NEXT =
      """
      SELECT MIN(due) FROM (
        SELECT due FROM (
          SELECT visible_at AS due FROM {delayed} WHERE channel = ? AND crashes = 0
          ORDER BY visible_at LIMIT 1) first_due
        UNION ALL
        SELECT due FROM (
          SELECT visible_at AS due FROM {delayed} WHERE channel = ? AND crashes > 0
            AND visible_at > ? ORDER BY visible_at LIMIT 1) first_crashed
        UNION ALL
        SELECT due FROM (
          SELECT due_at AS due FROM {turn_later} WHERE channel = ?
          ORDER BY due_at LIMIT 1) first_group) waiting""";

  private final Groups groups;

  DueRows(Groups groups) {
    this.groups = groups;
  }

  private record Due(
      UUID id, boolean placed, long sequence, boolean grouped, GroupKey group, boolean dead) {}

  /**
   * Moves messages that are due, and gives a turn to groups whose head is due; says which groups a
   * message was moved to.
   */
  Set<GroupKey> move(Line line, int most) throws SQLException {
    Set<GroupKey> joined = moveMessages(line, DUE, most);
    moveTurns(line, most);
    return joined;
  }

  /** The same for messages that have crashed a worker and were given another time since. */
  Set<GroupKey> moveSuspects(Line line, int most) throws SQLException {
    return moveMessages(line, DUE_SUSPECTS, most);
  }

  /** When the next message that is not ready becomes due, or null. */
  @Nullable Long next(Line line) throws SQLException {
    return line.session()
        .call(NEXT)
        .with(line.id(), line.id(), line.session().now(), line.id())
        .list(row -> Optional.ofNullable(MessageRow.number(row, 1)))
        .get(0)
        .orElse(null);
  }

  private Set<GroupKey> moveMessages(Line line, String statement, int most) throws SQLException {
    Session session = line.session();
    List<Due> due =
        session
            .call(statement)
            .with(line.id(), session.now(), most)
            .list(
                row ->
                    new Due(
                        session.dialect.getId(row, 1),
                        row.getInt(2) != 0,
                        row.getLong(3),
                        row.getInt(4) != 0,
                        new GroupKey(row.getString(5), row.getString(6)),
                        row.getInt(7) != 0));
    long[] numbers = session.numbers(due.size());
    List<Copy.Row> rows = new ArrayList<>();
    Set<GroupKey> joined = new LinkedHashSet<>();
    for (int i = 0; i < numbers.length; i++) {
      Due each = due.get(i);
      long sequence = each.placed() ? each.sequence() : numbers[i];
      if (!each.dead()) {
        rows.add(Copy.Row.of(each.id(), numbers[i], sequence));
      }
      if (each.grouped()) {
        joined.add(each.group());
      }
    }
    MOVE.run(line, rows);
    Messages.delete(line, "{delayed}", due.stream().map(Due::id).toList());
    giveTurns(line, joined);
    return joined;
  }

  private void moveTurns(Line line, int most) throws SQLException {
    Session session = line.session();
    List<Turn> due =
        session
            .call(DUE_TURNS)
            .with(line.id(), session.now(), most)
            .list(
                row ->
                    new Turn(
                        row.getLong(1), new GroupKey(row.getString(2), row.getString(3)), false));
    session.sum(
        due.stream().map(Turn::position).sorted().toList(),
        piece -> session.call(DROP_TURNS).with(piece).update());
    giveTurns(line, new LinkedHashSet<>(due.stream().map(Turn::group).toList()));
  }

  private void giveTurns(Line line, Set<GroupKey> due) throws SQLException {
    groups.addFresh(line, due.stream().map(group -> new Turn(0, group, false)).toList());
  }
}
