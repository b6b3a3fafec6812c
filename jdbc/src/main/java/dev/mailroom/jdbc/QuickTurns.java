package dev.mailroom.jdbc;

import dev.mailroom.jdbc.GroupStarts.Known;
import dev.mailroom.jdbc.GroupStarts.Moment;
import dev.mailroom.jdbc.GroupStarts.Seen;
import dev.mailroom.jdbc.Groups.Turn;
import dev.mailroom.jdbc.HeldGroups.Alive;
import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.jdbc.PostgresLine.State;
import dev.mailroom.jdbc.Watermark.Range;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claim of ordered groups that nearly all are: their heads are ready, have done no harm, and
 * are not being replaced in an open transaction, for which it would have to wait. The first
 * statement takes turns and sees which of their groups are held, the second sees all that came
 * before and reads the first messages of the others. Their rows are not locked, except where
 * somebody else has: nobody takes a message out of a group while a claim is under way, and nobody
 * else claims. Groups with which it is not so simple go the way of {@link OrderedClaim}.
 */
final class QuickTurns {
  /** What is to be known of a group that has its turn. */
  private enum Access {
    /** Nobody holds it. */
    FREE,
    /** Somebody holds it, and will look at it when that ends. */
    HELD,
    /** Somebody holds it who may have looked at it already. */
    LEAVING
  }

  private static final String TAKE =
      """
      , state(now, next_due, suspects, blamed) AS MATERIALIZED (
        SELECT now %s,
          EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 1) FROM time),
      {holding},
      picked AS MATERIALIZED (
        SELECT ctid AS place, position, tenant, group_key FROM {turn}
        WHERE channel = ? AND suspect = 0 %s
        LIMIT (SELECT CASE WHEN next_due <= now OR suspects OR blamed THEN 0 ELSE ? END
          FROM state)),
      known AS MATERIALIZED (
        SELECT place, position, tenant, group_key, {group_state} FROM picked),
      dropped AS (
        DELETE FROM {turn} WHERE ctid = ANY (ARRAY(SELECT place FROM known WHERE NOT leaving)))
      SELECT now, next_due, suspects, NULL, NULL, NULL, {moment}, {alive}, NULL::int FROM state
      UNION ALL
      SELECT NULL, NULL, NULL, position, tenant, group_key, NULL, NULL, NULL, NULL, NULL,
        CASE WHEN leaving THEN 2 WHEN held THEN 1 ELSE 0 END FROM known"""
          .replace("{holding}", HeldGroups.HOLDING)
          .replace("{group_state}", HeldGroups.STATE)
          .replace("{alive}", HeldGroups.ALIVE)
          .replace("{moment}", GroupStarts.MOMENT)
          .replace("{writes}", "EXISTS (SELECT 1 FROM picked)");
  private static final String[] TAKES = {take(PostgresLine.ANYBODY), take(PostgresLine.TENANT)};

  /** Each group is looked up in its turn, so its rows come together and in order. */
  private static final String HEADS =
      """
      SELECT m.*, g.number
      FROM unnest(?, ?, ?) WITH ORDINALITY AS g(tenant, group_key, start, number)
      CROSS JOIN LATERAL (
        SELECT {columns}, ctid, xmax <> '0' FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
          AND {behind_start} AND {before_parked}
        ORDER BY sequence LIMIT ?) m
      LIMIT ?"""
          .replace("{behind_start}", GroupStarts.BEHIND_START)
          .replace("{before_parked}", PostgresGroups.BEFORE_PARKED);

  /** Those that nobody is about to take out of their group, or to replace. */
  private static final String UNTOUCHED =
      "SELECT ctid FROM {message} WHERE ctid = ANY (?::tid[]) FOR KEY SHARE SKIP LOCKED";

  /** How often one claim looks for further turns. */
  private static final int ROUNDS = 6;

  private static final int LEAST_TURNS = 16;

  /** After how many microseconds to look again at a group that was about to be given up. */
  private static final long SOON = 5_000;

  /** One of the first messages of a group, where it lies, and whether somebody had it locked. */
  private record Head(MessageRow row, long tid, boolean touched) {}

  private final Claiming claim;
  private final Line line;
  private final PostgresGroups groups;
  private final GroupStarts starts;

  /** The turns that were taken of groups that nobody holds. */
  private final Map<GroupKey, Turn> turns = new LinkedHashMap<>();

  private final Map<UUID, Place> places;
  private @Nullable State state;
  private @Nullable Moment moment;
  private int picked;

  /** How many of them stay. */
  private int left;

  private int leased;
  private long last;
  private long reach = Long.MAX_VALUE;
  private long visible;
  private @Nullable Alive alive;

  /** The highest position of a turn that the server itself has told. */
  private long highestTurn;

  QuickTurns(Claiming claim, PostgresGroups groups, GroupStarts starts) {
    this.claim = claim;
    this.line = claim.line;
    this.groups = groups;
    this.starts = starts;
    this.places = new HashMap<>(2 * claim.room());
  }

  private static String take(String whose) {
    return PostgresDialect.BY_INDEX_ALONE
        + PostgresLine.TIME
        + TAKE.replaceFirst("%s", PostgresLine.DUE).replaceFirst("%s", whose);
  }

  /**
   * Takes turns behind that position, unless something else comes first in the channel; says
   * whether there were any.
   *
   * @param yield how many messages a turn brings
   */
  boolean run(long after, Yield yield) throws SQLException {
    last = after;
    boolean more = true;
    boolean stale = false;
    for (int round = 0; more && !stale && round < ROUNDS && claim.room() > 0; round++) {
      int most = turnsWanted(round, yield.turnsFor(claim.room(), claim.request.groupLimit()));
      int before = picked;
      int had = leased;
      more = take(most);
      if (!turns.isEmpty()) {
        int gave = lease(List.copyOf(turns.keySet()));
        // With the claim full, the other groups were not looked at and say nothing.
        yield.gave(claim.room() == 0 ? Math.max(1, gave) : picked - before, leased - had);
      }
      stale = had > 0 && leased == had; // the next claim clears the rest away
    }
    if (picked > left && (claim.isEmpty() || (more && claim.room() > 0))) {
      claim.comeAgain();
    }
    return picked > 0;
  }

  /** Further turns of the same groups may be in the way of others, hence ever more. */
  private static int turnsWanted(int round, int expected) {
    return round == 0 ? expected : Math.max(expected, LEAST_TURNS << round);
  }

  /** What else there is to do, as of the beginning. */
  State state() {
    if (state == null) {
      throw new IllegalStateException("Nothing was looked at yet.");
    }
    return state;
  }

  private Moment moment() {
    if (moment == null) {
      throw new IllegalStateException("Nothing was looked at yet.");
    }
    return moment;
  }

  /** Up to where no turn is left behind. */
  long reach() {
    return Math.min(last, reach);
  }

  /** Where the messages lie now. */
  Map<UUID, Place> places() {
    return places;
  }

  /** Takes turns; says whether there may be more. */
  private boolean take(int most) throws SQLException {
    turns.clear();
    int before = picked;
    Seen seen = starts.seen(line.id());
    Session session = line.session();
    int id = line.id();
    String tenant = claim.request.tenant();
    Call call =
        session
            .call(TAKES[tenant == null ? 0 : 1])
            .with(id, session.suppliedTime(), id, id, id, id, id);
    groups.held.bind(call, line).with(id);
    PostgresLine.within(new Range(last, Long.MAX_VALUE), tenant, call)
        .with(most)
        .listOfSecond(this::read);
    visible = starts.visible(id, moment(), seen);
    Alive leases = Objects.requireNonNull(alive, "alive");
    groups.held.looked(id, moment().server(), leases, highestTurn);
    return picked - before == most;
  }

  /** A row is the state of the channel, or a turn. */
  private int read(ResultSet row) throws SQLException {
    String tenant = row.getString(5);
    if (tenant == null) {
      line.session().now(row.getLong(1));
      state = new State(MessageRow.number(row, 2), row.getBoolean(3), true);
      moment = Moment.read(row, 7);
      alive = Alive.read(row, 10);
      return 0;
    }
    long position = row.getLong(4);
    GroupKey group = new GroupKey(tenant, row.getString(6));
    Access access = Access.values()[row.getInt(12)];
    picked++;
    highestTurn = Math.max(highestTurn, position);
    last = Math.max(last, position);
    if (access == Access.LEAVING) {
      left++;
      reach = Math.min(reach, position - 1);
      claim.comeAgain(SOON);
    } else if (access == Access.FREE && !claim.holds(group)) {
      turns.putIfAbsent(group, new Turn(position, group, false));
    }
    return 0;
  }

  /** The first messages of each group. */
  private List<List<Head>> heads(List<GroupKey> free) throws SQLException {
    List<List<Head>> heads = new ArrayList<>(free.size());
    free.forEach(group -> heads.add(new ArrayList<>()));
    int place = Columns.SIZE + 1;
    Known known = starts.known(line, free);
    line.session()
        .call(HEADS)
        .with(PostgresGroups.arrays(line, free))
        .with(known.starts(), line.id(), known.server(), line.id(), line.id())
        .with(claim.request.groupLimit(), claim.room())
        .each(
            row -> {
              MessageRow message = MessageRow.read(line.session().dialect, row, 1);
              heads
                  .get(row.getInt(place + 2) - 1)
                  .add(
                      new Head(
                          message, Tid.parse(row.getString(place)), row.getBoolean(place + 1)));
            });
    return heads;
  }

  /** Leases the first messages of the groups; says how many groups gave any. */
  private int lease(List<GroupKey> free) throws SQLException {
    List<List<Head>> heads = heads(free);
    int looked = looked(heads);
    Set<Long> locked = locked(heads);
    List<MessageRow> chosen = new ArrayList<>(claim.room());
    List<Run> runs = new ArrayList<>(looked);
    Map<GroupKey, Turn> rest = new LinkedHashMap<>();
    Map<GroupKey, Long> first = new HashMap<>();
    long highest = 0;
    for (int i = 0; i < heads.size(); i++) {
      GroupKey group = free.get(i);
      List<Head> all = heads.get(i);
      List<Head> ready = ready(all, locked);
      if (!all.isEmpty()) {
        first.put(group, all.get(0).row().sequence());
        highest = Math.max(highest, all.get(all.size() - 1).row().sequence());
      }
      if (!ready.isEmpty()) {
        Run run = run(group, ready);
        runs.add(run);
        for (Head head : ready) {
          chosen.add(head.row());
          places.put(head.row().id(), new Place(head.tid(), head.row().position(), run));
        }
      } else if (!all.isEmpty() || i >= looked) {
        rest.put(group, turns.get(group));
      }
    }
    if (!claim.hasBuried()) {
      starts.found(line.id(), moment(), first, visible, highest);
    }
    leased += chosen.size();
    claim.takeUnwritten(chosen);
    PostgresHolds.add(line, claim.token, runs);
    giveBack(rest);
    return runs.size();
  }

  /** Groups behind the last row that there was room for were not looked at, and say nothing. */
  private int looked(List<List<Head>> heads) {
    int rows = heads.stream().mapToInt(List::size).sum();
    int looked = heads.size();
    while (rows == claim.room() && heads.get(looked - 1).isEmpty()) {
      looked--;
    }
    return looked;
  }

  /** Up to the last of them nothing else is there, but what is not visible yet. */
  private Run run(GroupKey group, List<Head> ready) {
    long last = ready.get(ready.size() - 1).row().sequence();
    return new Run(group, ready.size(), Math.min(last, visible), moment().server());
  }

  /**
   * Where those lie that somebody has locked at this moment. Whoever locks one from now on waits
   * for this claim before touching it.
   */
  private Set<Long> locked(List<List<Head>> heads) throws SQLException {
    Set<Long> locked = new TreeSet<>();
    for (List<Head> all : heads) {
      all.stream().filter(Head::touched).forEach(head -> locked.add(head.tid()));
    }
    if (!locked.isEmpty()) {
      long[] places = locked.stream().mapToLong(Long::longValue).toArray();
      line.session()
          .call(UNTOUCHED)
          .with(Tid.array(places))
          .each(row -> locked.remove(Tid.parse(row.getString(1))));
    }
    return locked;
  }

  /**
   * Those that can be leased now, up to the first that cannot; none if one of them could be about
   * to be replaced.
   */
  private List<Head> ready(List<Head> heads, Set<Long> locked) throws SQLException {
    int count = 0;
    boolean going = true;
    for (Head head : heads) {
      MessageRow row = head.row();
      if (row.envelope().routing().collapseKey() != null) {
        return List.of();
      }
      going &=
          row.times().visibleAt() <= claim.now()
              && !row.isSuspect()
              && !row.hasExpired(claim.now())
              && !locked.contains(head.tid());
      count += going ? 1 : 0;
    }
    return heads.subList(0, count);
  }

  /** Groups that gave nothing though they have something: behind the limit, or not so simple. */
  private void giveBack(Map<GroupKey, Turn> rest) throws SQLException {
    rest.values().forEach(turn -> reach = Math.min(reach, turn.position() - 1));
    if (claim.room() == 0) {
      groups.add(line, rest.values());
    } else if (!rest.isEmpty()) {
      left += OrderedClaim.takeFrom(claim, groups, rest);
    }
  }
}
