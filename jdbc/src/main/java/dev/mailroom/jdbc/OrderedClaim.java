package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Groups.Held;
import dev.mailroom.jdbc.Groups.Turn;
import dev.mailroom.jdbc.Watermark.Range;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** Leases the first messages of ordered groups. */
final class OrderedClaim {
  /** How often one claim looks for further turns; each time it looks at more. */
  private static final int ROUNDS = 8;

  private static final int LEAST_GROUPS = 16;
  private static final int LEAST_TURNS = 64;
  private static final int MOST_TURNS = 1_000;
  private static final String PICK =
      "SELECT position, tenant, group_key FROM {turn} WHERE channel = ? AND suspect = ";
  private static final String OF_TENANT = " AND tenant = ? AND tenant <> ''";
  private static final String IN_ORDER =
      " AND position > ? AND position <= ? ORDER BY position LIMIT ? {skip}";

  /**
   * The same for a database that can look up a comparison of rows: no index but the one that begins
   * with the tenant gives this order, so the turns of other tenants are not looked at.
   */
  private static final String OF_TENANT_IN_ORDER =
      """
       AND (tenant, position) > (?, ?) AND (tenant, position) <= (?, ?) AND tenant <> ''
      ORDER BY tenant, position LIMIT ? {skip}""";

  /** After how many microseconds to look again at what others had locked. */
  private static final long SOON = 5_000;

  private static final KeyedRows UNTOUCHED = new KeyedRows("id", "{message}", "id", "", "{skip}");

  private final Claiming claim;
  private final Line line;
  private final Groups groups;
  private final boolean suspects;
  private final List<Turn> back = new ArrayList<>();
  private final Map<GroupKey, Long> later = new LinkedHashMap<>();
  private final SortedSet<GroupKey> given = new TreeSet<>();
  private final SortedSet<GroupKey> refreshed = new TreeSet<>();
  private final List<MessageRow> chosen = new ArrayList<>();

  private final Range range;
  private int picked;
  private int waiting;
  private long reach;

  private OrderedClaim(Claiming claim, Groups groups, boolean suspects, Range range) {
    this.range = range;
    this.claim = claim;
    this.line = claim.line;
    this.groups = groups;
    this.suspects = suspects;
  }

  /** How many turns were found, and up to where none is left behind. */
  record Looked(int picked, long reach) {}

  /** Takes from groups whose head has crashed no worker. */
  static void take(Claiming claim, Groups groups) throws SQLException {
    take(claim, groups, Range.ALL);
  }

  /** Takes from those of them whose turns are in a part of the line. */
  static Looked take(Claiming claim, Groups groups, Range range) throws SQLException {
    OrderedClaim ordered = new OrderedClaim(claim, groups, false, range);
    ordered.run();
    return new Looked(ordered.picked, ordered.reach);
  }

  /**
   * Takes from these groups, whose turns were taken already; says how many of the turns wait for
   * somebody else.
   */
  static int takeFrom(Claiming claim, Groups groups, Map<GroupKey, Turn> turns)
      throws SQLException {
    OrderedClaim ordered = new OrderedClaim(claim, groups, false, Range.ALL);
    ordered.examine(turns);
    ordered.finish();
    return ordered.waiting;
  }

  /** Takes one head that has crashed a worker, alone. */
  static void takeSuspect(Claiming claim, Groups groups) throws SQLException {
    new OrderedClaim(claim, groups, true, Range.ALL).run();
  }

  private void run() throws SQLException {
    int wanted = suspects ? 1 : groupsWanted();
    boolean more = true;
    boolean stale = false;
    for (int round = 0; more && !stale && round < ROUNDS && room() > 0; round++) {
      int before = chosen.size();
      List<Turn> turns = pick(turnsWanted(round, wanted));
      if (turns.isEmpty()) {
        more = false;
        break;
      }
      Map<GroupKey, Turn> first = firstTurns(turns, wanted);
      picked += turns.size();
      reach = reach(turns, first.keySet());
      groups.take(line, turns.stream().filter(turn -> first.containsKey(turn.group())).toList());
      examine(first);
      more = turns.size() == turnsWanted(round, wanted) || first.size() == wanted;
      stale = before > 0 && chosen.size() == before; // the next claim clears the rest away
      wanted = suspects ? 1 : Math.min(Math.max(1, room()), 4 * wanted);
    }
    if (more && room() > 0) {
      claim.comeAgain();
    }
    finish();
  }

  /** Further turns of the same groups may be in the way of others, hence ever more. */
  private static int turnsWanted(int round, int groups) {
    return round == 0 ? groups : Math.max(2 * groups, Math.min(MOST_TURNS, LEAST_TURNS << round));
  }

  private int room() {
    return claim.room() - (suspects && !chosen.isEmpty() ? claim.room() : chosen.size());
  }

  /** As many groups as may be needed; most have more than one message, or all have one. */
  private int groupsWanted() {
    int least = (room() + claim.request.groupLimit() - 1) / claim.request.groupLimit();
    return Math.min(room(), Math.max(LEAST_GROUPS, least));
  }

  private List<Turn> pick(int most) throws SQLException {
    Session session = line.session();
    String tenant = claim.request.tenant();
    String pick = PICK + (suspects ? "1" : "0"); // literals, as in the index's own condition
    Call call;
    if (tenant == null) {
      call = session.call(pick + IN_ORDER).with(line.id(), range.after(), range.until(), most);
    } else if (suspects || !session.dialect.looksUpRows()) {
      call = session.call(pick + OF_TENANT + IN_ORDER).with(line.id(), tenant);
      call.with(range.after(), range.until(), most);
    } else {
      call = session.call(pick + OF_TENANT_IN_ORDER).with(line.id(), tenant, range.after());
      call.with(tenant, range.until(), most);
    }
    return call.list(
        row ->
            new Turn(row.getLong(1), new GroupKey(row.getString(2), row.getString(3)), suspects));
  }

  private static Map<GroupKey, Turn> firstTurns(List<Turn> turns, int wanted) {
    Map<GroupKey, Turn> first = new LinkedHashMap<>();
    for (Turn turn : turns) {
      if (first.size() < wanted || first.containsKey(turn.group())) {
        first.putIfAbsent(turn.group(), turn);
      }
    }
    return first;
  }

  /** The position up to which none of the turns stays. */
  private static long reach(List<Turn> turns, Set<GroupKey> taken) {
    for (Turn turn : turns) {
      if (!taken.contains(turn.group())) {
        return turn.position() - 1;
      }
    }
    return turns.get(turns.size() - 1).position();
  }

  /** Holds the groups, then reads their heads with a statement that sees all that came before. */
  private void examine(Map<GroupKey, Turn> turns) throws SQLException {
    Held hold = groups.hold(line, claim.token, turns.keySet());
    Set<GroupKey> held = hold.gained();
    keepTurns(turns, hold);
    lookAgain(turns, held);
    List<GroupKey> ours = turns.keySet().stream().filter(held::contains).toList();
    Map<GroupKey, List<MessageRow>> heads =
        groups.heads(line, ours, claim.request.groupLimit(), Math.min(room(), claim.graves()));
    Set<UUID> replaced = replaced(heads.values());
    for (GroupKey group : ours) {
      List<MessageRow> rows = heads.get(group);
      Turn turn = turns.get(group);
      if (turn == null) {
        continue;
      }
      if (rows == null || room() <= 0) {
        giveBack(turn);
      } else {
        choose(turn, rows, replaced);
      }
    }
  }

  /**
   * The turn of a group that another one holds is dropped, because the other one looks at the group
   * when it has finished. What joined the group just now it may not see, and it may have looked
   * already; then the turn stays.
   */
  private void keepTurns(Map<GroupKey, Turn> turns, Held held) {
    for (Turn turn : turns.values()) {
      GroupKey group = turn.group();
      if (held.leaving().contains(group)) {
        back.add(turn);
        waiting++;
        claim.comeAgain(SOON);
      } else if (claim.hasJoined(group) && !held.gained().contains(group)) {
        back.add(turn);
        claim.comeAgain();
      }
    }
  }

  /**
   * A group that this claim has found to be empty is its own until it ends, and nobody else will
   * look at it. A further turn says that something has come since.
   */
  private void lookAgain(Map<GroupKey, Turn> turns, Set<GroupKey> held) {
    for (GroupKey group : turns.keySet()) {
      if (!held.contains(group) && given.contains(group)) {
        refreshed.add(group);
        claim.comeAgain();
      }
    }
  }

  /**
   * Those that an open transaction is about to replace. Nothing waits for it: it is the caller's
   * own, and may last. Nor may anything of the group go past them, since it may be rolled back.
   */
  private Set<UUID> replaced(Collection<List<MessageRow>> heads) throws SQLException {
    List<UUID> replaceable = new ArrayList<>();
    for (List<MessageRow> rows : heads) {
      for (MessageRow row : rows) {
        if (groups.isContested(row)) {
          replaceable.add(row.id());
        }
      }
    }
    if (replaceable.isEmpty()) {
      return Set.of();
    }
    Dialect dialect = line.session().dialect;
    Set<UUID> replaced = new HashSet<>(replaceable);
    dialect
        .lock(line, UNTOUCHED, replaceable, row -> dialect.getId(row, 1))
        .forEach(replaced::remove);
    return replaced;
  }

  private void choose(Turn turn, List<MessageRow> rows, Set<UUID> replaced) throws SQLException {
    if (!rows.isEmpty() && rows.get(0).times().visibleAt() > claim.now()) {
      given.add(turn.group());
      later.put(turn.group(), rows.get(0).times().visibleAt());
      return;
    }
    int before = chosen.size();
    boolean locked = false;
    List<MessageRow> dying = new ArrayList<>();
    for (MessageRow row : rows) {
      if (replaced.contains(row.id())) {
        claim.comeAgain(SOON);
        locked = true;
        break;
      }
      if (claim.causeOfDeath(row) != null) {
        dying.add(row);
        if (claim.parks()) {
          break;
        }
      } else if (row.times().visibleAt() > claim.now() || row.isSuspect() != suspects) {
        break;
      } else if (room() > 0) {
        chosen.add(row);
      }
    }
    claim.bury("{message}", dying);
    if (chosen.size() > before) {
      return;
    }
    given.add(turn.group());
    if (!dying.isEmpty()) {
      refreshed.add(turn.group());
    } else if (!rows.isEmpty()) {
      back.add(new Turn(turn.position(), turn.group(), rows.get(0).isSuspect()));
      waiting += locked ? 1 : 0;
    }
  }

  private void giveBack(Turn turn) {
    given.add(turn.group());
    back.add(turn);
  }

  /** Leases what was chosen, and gives the other groups up with the turns they are to have. */
  private void finish() throws SQLException {
    List<MessageRow> leased = Messages.lease(line, claim.token, chosen);
    Map<GroupKey, Integer> counts = new HashMap<>();
    leased.forEach(row -> counts.merge(GroupKey.of(row.envelope().routing()), 1, Integer::sum));
    Set<GroupKey> vanished = new HashSet<>();
    chosen.forEach(row -> vanished.add(GroupKey.of(row.envelope().routing())));
    vanished.removeAll(counts.keySet());
    given.addAll(vanished);
    refreshed.addAll(vanished);
    groups.setHeld(line, claim.token, counts, given);
    groups.add(line, back);
    back.forEach(turn -> reach = Math.min(reach, turn.position() - 1));
    groups.setLater(line, later);
    groups.refresh(line, refreshed);
    if (suspects && !leased.isEmpty()) {
      claim.takeAlone(leased.get(0));
    } else {
      claim.take(leased);
    }
  }
}
