package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: the rows that say which groups may have something to claim, and which are held
 * by a lease. See the package's documentation for why no group is ever forgotten.
 */
class Groups {
  /** Where a group's claimable messages end: at the first dead letter that parks it. */
  static final String PARKED_FROM =
      """
      COALESCE((SELECT MIN(sequence) FROM {dead} WHERE channel = ? AND parks = 1
        AND tenant = ? AND group_key = ?), 9223372036854775807)""";

  private static final String HEADS =
      """
      SELECT {columns} FROM {message} WHERE channel = ? AND grouped = 1 AND tenant = ?
        AND {lane} = ? AND {place} <"""
          + " "
          + PARKED_FROM
          + " ORDER BY {place} LIMIT ?";
  private static final String HEAD =
      """
      SELECT visible_at, crashes FROM {message} WHERE channel = ? AND grouped = 1 AND tenant = ?
        AND {lane} = ? AND {place} <"""
          + " "
          + PARKED_FROM
          + " ORDER BY {place} LIMIT 1";

  /** A new statement once a row is locked: who leased it just before is seen only now. */
  private static final String IS_FREE =
      "SELECT 1 FROM {message} WHERE channel = ? AND id = ? AND {token} IS NULL";

  private static final String HOLD =
      "INSERT INTO {hold} (channel, tenant, group_key, token, held) VALUES (?, ?, ?, ?, 0)";
  private static final String SET_HELD =
      """
      UPDATE {hold} SET held = ?
      WHERE channel = ? AND tenant = ? AND group_key = ? AND token = ?""";
  private static final String DROP_HOLD =
      "DELETE FROM {hold} WHERE channel = ? AND tenant = ? AND group_key = ? AND token = ?";
  private static final String END_HOLD =
      """
      DELETE FROM {hold} WHERE channel = ? AND tenant = ? AND group_key = ? AND token = ?
        AND held <= ?""";
  private static final String SHRINK_HOLD =
      """
      UPDATE {hold} SET held = held - ? WHERE channel = ? AND tenant = ? AND group_key = ?
        AND token = ?""";
  private static final String ADD_TURN =
      """
      INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
      VALUES (?, ?, ?, ?, ?)""";
  private static final String TAKE_TURNS = "DELETE FROM {turn} WHERE position IN ({list})";
  private static final String DROP_LATER =
      "DELETE FROM {turn_later} WHERE channel = ? AND tenant = ? AND group_key = ?";
  private static final String ADD_LATER =
      """
      INSERT INTO {turn_later} (position, channel, due_at, tenant, group_key)
      VALUES (?, ?, ?, ?, ?)""";

  /** A row that says that a group may have something to claim. */
  record Turn(long position, GroupKey group, boolean suspect) {}

  private record Head(long visibleAt, boolean suspect) {}

  /**
   * What came of holding groups.
   *
   * @param gained those that nobody else holds
   * @param leaving those that another one holds, who may have looked at them for the last time
   */
  record Held(SortedSet<GroupKey> gained, Set<GroupKey> leaving) {}

  /** Takes the groups that nobody holds, in sorted order. */
  Held hold(Line line, UUID token, Collection<GroupKey> groups) throws SQLException {
    Session session = line.session();
    SortedSet<GroupKey> held = new TreeSet<>();
    for (GroupKey group : new TreeSet<>(groups)) {
      if (session.dialect.insertAbsent(
          session, HOLD, line.id(), group.tenant(), group.key(), token)) {
        held.add(group);
      }
    }
    return new Held(held, Set.of());
  }

  /**
   * The first messages of each group, up to one that parks it, until there are as many as asked
   * for. Groups that were not looked at any more are not in the answer.
   */
  Map<GroupKey, List<MessageRow>> heads(Line line, List<GroupKey> groups, int perGroup, int total)
      throws SQLException {
    Map<GroupKey, List<MessageRow>> heads = new LinkedHashMap<>();
    int left = total;
    for (GroupKey group : groups) {
      if (left <= 0) {
        break;
      }
      List<MessageRow> rows =
          line.session()
              .call(HEADS)
              .with(line.id(), group.tenant(), group.key())
              .with(line.id(), group.tenant(), group.key(), Math.min(perGroup, left))
              .list(row -> MessageRow.read(line.session().dialect, row, 1));
      heads.put(group, rows);
      left -= rows.size();
    }
    return heads;
  }

  /**
   * Notes how many messages of each group the lease holds.
   *
   * @param none groups that it holds nothing of, and so gives up
   */
  void setHeld(Line line, UUID token, Map<GroupKey, Integer> counts, SortedSet<GroupKey> none)
      throws SQLException {
    List<@Nullable Object[]> sets = new ArrayList<>();
    counts.forEach(
        (group, count) ->
            sets.add(new Object[] {count, line.id(), group.tenant(), group.key(), token}));
    line.session().call(SET_HELD).batch(sets);
    drop(line, token, none);
  }

  /**
   * Whether somebody may be about to take this message out of its group, or to replace it, so that
   * a claim has to lock it before it is leased. Where a claim writes what it leases, only those who
   * replace messages do not wait for it.
   */
  boolean isContested(MessageRow head) {
    return head.envelope().routing().collapseKey() != null;
  }

  /** Locks a message and answers with it, if nobody has leased it. */
  @Nullable MessageRow lockFree(Line line, UUID id) throws SQLException {
    MessageRow row = Messages.find(line, "{message}", id, true);
    return row != null && isFree(line, id) ? row : null;
  }

  /** Whether nobody has leased the message. */
  static boolean isFree(Line line, UUID id) throws SQLException {
    return line.session().call(IS_FREE).with(line.id(), id).first(row -> 1) != null;
  }

  private static void drop(Line line, UUID token, SortedSet<GroupKey> groups) throws SQLException {
    List<@Nullable Object[]> sets = new ArrayList<>();
    groups.forEach(group -> sets.add(new Object[] {line.id(), group.tenant(), group.key(), token}));
    line.session().call(DROP_HOLD).batch(sets);
  }

  /**
   * The lease holds so many messages less of each group; groups of which it holds nothing any more
   * are free, and get their next turn.
   */
  void release(Line line, UUID token, Map<GroupKey, Integer> counts) throws SQLException {
    List<GroupKey> groups = new ArrayList<>(new TreeSet<>(counts.keySet()));
    List<@Nullable Object[]> ends = new ArrayList<>();
    for (GroupKey group : groups) {
      ends.add(new Object[] {line.id(), group.tenant(), group.key(), token, counts.get(group)});
    }
    int[] ended = line.session().call(END_HOLD).batch(ends);
    List<GroupKey> free = new ArrayList<>();
    List<@Nullable Object[]> rest = new ArrayList<>();
    for (int i = 0; i < ended.length; i++) {
      GroupKey group = groups.get(i);
      if (ended[i] == 0) {
        rest.add(new Object[] {counts.get(group), line.id(), group.tenant(), group.key(), token});
      } else {
        free.add(group);
      }
    }
    line.session().call(SHRINK_HOLD).batch(rest);
    refresh(line, free);
  }

  /**
   * Looks at each group's head anew and gives the group a turn, now or when its head is due; says
   * whether one has its turn now.
   */
  boolean refresh(Line line, Collection<GroupKey> groups) throws SQLException {
    List<Turn> turns = new ArrayList<>();
    Map<GroupKey, Long> later = new LinkedHashMap<>();
    for (GroupKey group : groups) {
      Head head = head(line, group);
      if (head != null && head.visibleAt() > line.session().now()) {
        later.put(group, head.visibleAt());
      } else if (head != null) {
        turns.add(new Turn(0, group, head.suspect()));
      }
    }
    addFresh(line, turns);
    setLater(line, later);
    return !turns.isEmpty();
  }

  private static @Nullable Head head(Line line, GroupKey group) throws SQLException {
    return line.session()
        .call(HEAD)
        .with(line.id(), group.tenant(), group.key(), line.id(), group.tenant(), group.key())
        .first(row -> new Head(row.getLong(1), row.getInt(2) > 0));
  }

  /** Forgets when a head that has changed was due: its group has its turn. */
  void changed(Line line, Collection<GroupKey> groups) throws SQLException {
    dropLater(line, groups);
    addTurns(line, groups);
  }

  /**
   * Gives groups their turn without a look at them. Until this is committed others still see what
   * kept a group waiting, and drop the turns of messages that come meanwhile, which a look now
   * would not see; this turn they see when that is gone.
   */
  void addTurns(Line line, Collection<GroupKey> groups) throws SQLException {
    addFresh(line, groups.stream().map(group -> new Turn(0, group, false)).toList());
  }

  /** Adds turns at their positions. */
  void add(Line line, Collection<Turn> turns) throws SQLException {
    List<@Nullable Object[]> sets = new ArrayList<>();
    for (Turn turn : turns) {
      GroupKey group = turn.group();
      sets.add(
          new Object[] {turn.position(), line.id(), turn.suspect(), group.tenant(), group.key()});
    }
    line.session().call(ADD_TURN).batch(sets);
  }

  /** Removes turns. */
  void take(Line line, Collection<Turn> turns) throws SQLException {
    line.session()
        .sum(
            turns.stream().map(Turn::position).sorted().toList(),
            piece -> line.session().call(TAKE_TURNS).with(piece).update());
  }

  /** Adds turns behind all others. */
  void addFresh(Line line, List<Turn> turns) throws SQLException {
    long[] numbers = line.session().numbers(turns.size());
    List<Turn> placed = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      placed.add(new Turn(numbers[i], turns.get(i).group(), turns.get(i).suspect()));
    }
    add(line, placed);
  }

  /** The groups get their turn when their heads are due, and only then. */
  void setLater(Line line, Map<GroupKey, Long> later) throws SQLException {
    dropLater(line, later.keySet());
    long[] numbers = line.session().numbers(later.size());
    List<@Nullable Object[]> sets = new ArrayList<>();
    later.forEach(
        (group, due) ->
            sets.add(
                new Object[] {numbers[sets.size()], line.id(), due, group.tenant(), group.key()}));
    line.session().call(ADD_LATER).batch(sets);
  }

  /** The statement that forgets when a group has its turn. */
  String dropLater() {
    return DROP_LATER;
  }

  private void dropLater(Line line, Collection<GroupKey> groups) throws SQLException {
    List<@Nullable Object[]> sets = new ArrayList<>();
    for (GroupKey group : new TreeSet<>(groups)) {
      sets.add(new Object[] {line.id(), group.tenant(), group.key()});
    }
    line.session().call(dropLater()).batch(sets);
  }
}
