package dev.mailroom.jdbc;

import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.spi.MessageCursor;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One step of a search through one channel, downwards by id, which is the one order that all tables
 * have an index for. Whatever the filter, a step looks at no more than a window of each table:
 *
 * <ol>
 *   <li>Where an index of the table serves the filter and finds few, those are its candidates.
 *   <li>In every other table the next rows by primary key are, as many as the window has. The
 *       highest of their ends is how far this step looks in all tables: the floor.
 *   <li>One statement finds the ids that match, another reads their rows.
 * </ol>
 */
final class Search {
  /** The most rows of one table that one step looks at. */
  static final int WINDOW = 10_000;

  private final Line line;
  private final Session session;
  private final MessageFilter filter;
  private final @Nullable UUID before;
  private final int limit;

  Search(Line line, MessageFilter filter, @Nullable UUID before, int limit) {
    this.line = line;
    this.session = line.session();
    this.filter = filter;
    this.before = before;
    this.limit = limit;
  }

  MessagePage page() throws SQLException {
    session.dialect.walkAlongIndexes(session);
    if (filter.states().equals(Set.of(MessageState.LEASED))) {
      List<UUID> leased = LeasedIds.of(line, WINDOW);
      if (leased != null) {
        return leased(leased);
      }
    }
    Candidates candidates = new Candidates(line, filter);
    Map<MessageTable, List<Condition>> narrow = new EnumMap<>(MessageTable.class);
    List<MessageTable> walked = new ArrayList<>();
    for (MessageTable table : MessageTable.values()) {
      if (table.holdsAnyOf(filter.states())) {
        List<Condition> few = candidates.of(table);
        if (few.isEmpty()) {
          walked.add(table);
        }
        narrow.put(table, few);
      }
    }
    UUID floor = walked.isEmpty() || isUnfiltered(walked) ? null : floor(walked);
    List<UUID> ids = ids(narrow, floor);
    boolean isMore = ids.size() > limit;
    List<UUID> shown = isMore ? ids.subList(0, limit) : ids;
    UUID end = isMore ? shown.get(limit - 1) : floor;
    return new MessagePage(
        shown.isEmpty() ? List.of() : new FoundRows(line).read(shown, filter),
        end == null ? null : MessageCursor.behind(end));
  }

  /** Whether every row matches: then there is no need to look at more of them than are shown. */
  private boolean isUnfiltered(List<MessageTable> tables) throws SQLException {
    for (MessageTable table : tables) {
      if (!table.add(new Condition(), filter, session).text().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Those of the leased messages that match; there are few. */
  private MessagePage leased(List<UUID> all) throws SQLException {
    List<UUID> ids = new ArrayList<>(all);
    ids.removeIf(id -> before != null && Ids.ORDER.compare(id, before) >= 0);
    List<InspectedMessage> found = new FoundRows(line).read(ids, filter);
    if (found.size() <= limit) {
      return new MessagePage(found, null);
    }
    List<InspectedMessage> shown = found.subList(0, limit);
    return new MessagePage(shown, MessageCursor.behind(shown.get(limit - 1).message().id()));
  }

  /** Where the first of the windows ends, or null if none of the tables has so many rows left. */
  private @Nullable UUID floor(List<MessageTable> tables) throws SQLException {
    List<String> selects = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (MessageTable table : tables) {
      Condition condition = below(new Condition().and("channel = ?", line.id()));
      selects.add(
          "SELECT * FROM (SELECT id FROM %s%s ORDER BY id DESC LIMIT 1 OFFSET ?) %s"
              .formatted(table.template, condition.text(), alias(selects)));
      Collections.addAll(values, condition.values());
      values.add(WINDOW - 1);
    }
    return session
        .call(String.join(" UNION ALL ", selects))
        .with(values.toArray())
        .list(row -> session.dialect.getId(row, 1))
        .stream()
        .max(Ids.ORDER)
        .orElse(null);
  }

  /** The ids of what matches down to the floor, the highest first; one more than the page has. */
  private List<UUID> ids(Map<MessageTable, List<Condition>> narrow, @Nullable UUID floor)
      throws SQLException {
    List<String> selects = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (Map.Entry<MessageTable, List<Condition>> each : narrow.entrySet()) {
      MessageTable table = each.getKey();
      if (each.getValue().isEmpty()) {
        Condition walk = new Condition().and("channel = ?", line.id());
        select(table.template, matching(table, walk, floor), selects, values);
      }
      for (Condition few : each.getValue()) {
        Collections.addAll(values, few.values());
        String rows = Candidates.select(table, few) + " few";
        Condition of = matching(table, new Condition(), floor).replacing("{token}", "token");
        select(rows, of, selects, values);
      }
    }
    values.add(limit + 1);
    return session
        .call(String.join(" UNION ", selects) + " ORDER BY id DESC LIMIT ?")
        .with(values.toArray())
        .list(row -> session.dialect.getId(row, 1));
  }

  private void select(String rows, Condition condition, List<String> selects, List<Object> values) {
    selects.add(
        "SELECT * FROM (SELECT id FROM %s%s ORDER BY id DESC LIMIT ?) %s"
            .formatted(rows, condition.text(), alias(selects)));
    Collections.addAll(values, condition.values());
    values.add(limit + 1);
  }

  private Condition matching(MessageTable table, Condition start, @Nullable UUID floor)
      throws SQLException {
    Condition condition = below(start).and("id >= ?", floor);
    table.add(condition, filter, session);
    return condition;
  }

  private Condition below(Condition condition) {
    return condition.and("id < ?", before);
  }

  private static String alias(List<String> selects) {
    return "part" + selects.size();
  }
}
