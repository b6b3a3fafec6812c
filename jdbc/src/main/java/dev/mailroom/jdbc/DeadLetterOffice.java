package dev.mailroom.jdbc;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.messages.LastError;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads, redrives, discards and purges the dead letters of one channel. */
final class DeadLetterOffice {
  private static final String READ = "SELECT {columns}, died_at, number FROM {dead}";
  private static final String PICK =
      "SELECT id, parks, grouped, tenant, group_key, sequence FROM {dead}";
  private static final Copy REDRIVE =
      new Copy("{dead}", "{message}", List.of("position", "sequence", "visible_at"), List.of())
          .with("expires_at", "NULL")
          .with("attempts", "0")
          .with("crashes", "0")
          .with("deferrals", "0")
          .with("parked_since", "NULL");

  private final Line line;
  private final Session session;
  private final Groups groups;

  DeadLetterOffice(Line line, Groups groups) {
    this.line = line;
    this.session = line.session();
    this.groups = groups;
  }

  private record Letter(DeadLetter letter, long number) {}

  private record Picked(UUID id, boolean parks, boolean grouped, GroupKey group, long sequence) {}

  DeadLetterPage page(DeadLetterFilter filter, @Nullable String after, int limit)
      throws SQLException {
    Condition condition = condition(filter).and("number > ?", after == null ? 0 : cursor(after));
    List<Letter> found =
        session
            .call(READ + condition.text() + " ORDER BY number LIMIT ?")
            .with(condition.values())
            .with(limit + 1)
            .list(this::letter);
    List<Letter> shown = found.size() > limit ? found.subList(0, limit) : found;
    String next = found.size() > limit ? Long.toString(shown.get(shown.size() - 1).number()) : null;
    return new DeadLetterPage(
        shown.stream().map(Letter::letter).toList(), next, Micros.instant(session.now()));
  }

  /** Makes letters ready: those that park their group in their old place, the others at the end. */
  int redrive(DeadLetterFilter filter, int limit) throws SQLException {
    List<Picked> picked = pick(condition(filter), limit);
    long[] numbers = session.numbers(picked.size());
    long now = session.now();
    List<Copy.Row> rows = new ArrayList<>();
    Set<GroupKey> ready = new LinkedHashSet<>();
    for (int i = 0; i < numbers.length; i++) {
      Picked each = picked.get(i);
      long sequence = each.parks() ? each.sequence() : numbers[i];
      rows.add(Copy.Row.of(each.id(), numbers[i], sequence, now));
      if (each.grouped()) {
        ready.add(each.group());
      }
    }
    REDRIVE.run(line, rows);
    Messages.delete(line, "{dead}", picked.stream().map(Picked::id).toList());
    groups.addTurns(line, ready);
    return picked.size();
  }

  int discard(DeadLetterFilter filter, int limit) throws SQLException {
    return remove(pick(condition(filter), limit));
  }

  /** Removes those that died at that time or before, except where a group waits for one. */
  int purge(long deadLetteredUntil, int limit) throws SQLException {
    Condition condition = condition(DeadLetterFilter.all());
    condition.and("parks = 0").and("died_at <= ?", deadLetteredUntil);
    return remove(pick(condition, limit));
  }

  private int remove(List<Picked> picked) throws SQLException {
    Messages.delete(line, "{dead}", picked.stream().map(Picked::id).toList());
    Set<GroupKey> freed = new LinkedHashSet<>();
    for (Picked each : picked) {
      if (each.parks()) {
        freed.add(each.group());
      }
    }
    groups.addTurns(line, freed);
    return picked.size();
  }

  private List<Picked> pick(Condition condition, int limit) throws SQLException {
    return session
        .call(PICK + condition.text() + " ORDER BY number LIMIT ? {skip}")
        .with(condition.values())
        .with(limit)
        .list(
            row ->
                new Picked(
                    session.dialect.getId(row, 1),
                    row.getInt(2) != 0,
                    row.getInt(3) != 0,
                    new GroupKey(row.getString(4), row.getString(5)),
                    row.getLong(6)));
  }

  private Letter letter(java.sql.ResultSet row) throws SQLException {
    MessageRow message = MessageRow.read(session.dialect, row, 1);
    int at = 1 + Columns.ALL.size();
    LastError error = message.progress().lastError();
    return new Letter(
        new DeadLetter(
            message.toMessage(line.name()),
            error == null ? LastError.of("unknown", "") : error,
            Micros.instant(row.getLong(at))),
        row.getLong(at + 1));
  }

  private static long cursor(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notOurs) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a cursor of this store: use DeadLetterPage.next().", notOurs);
    }
  }

  private Condition condition(DeadLetterFilter filter) {
    return new Condition()
        .and("channel = ?", line.id())
        .and("id IN ({list})", filter.ids().isEmpty() ? null : Ids.sorted(filter.ids()))
        .and("contract = ?", filter.contract())
        .and("tenant = ?", filter.tenant())
        .and("group_key = ?", filter.groupKey())
        .and(
            "died_at <= ?",
            filter.deadLetteredUntil() == null ? null : Micros.floor(filter.deadLetteredUntil()))
        .mentioning(filter.error());
  }
}
