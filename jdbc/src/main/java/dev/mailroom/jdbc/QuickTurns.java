package dev.mailroom.jdbc;

import dev.mailroom.jdbc.GroupStarts.Known;
import dev.mailroom.jdbc.GroupStarts.Moment;
import dev.mailroom.jdbc.GroupStarts.Seen;
import dev.mailroom.jdbc.Groups.Turn;
import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.jdbc.PostgresLine.State;
import dev.mailroom.jdbc.Watermark.Range;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The claim of ordered groups that nearly all are: their heads are ready, have done no harm, and
 * are not being replaced in an open transaction, for which it would have to wait. The first
 * statement takes turns and holds their groups, the second sees all that came before and reads the
 * first messages. Their rows are not locked: nobody takes a message out of a group that another one
 * holds. Groups with which it is not so simple go the way of {@link OrderedClaim}.
 */
final class QuickTurns {
  private static final String HOLD =
      """
      , state(now, next_due, suspects, blamed) AS MATERIALIZED (
        SELECT now %s,
          EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 1) FROM time),
      picked AS MATERIALIZED (
        SELECT position, tenant, group_key FROM {turn}
        WHERE channel = ? AND suspect = 0 %s
        LIMIT (SELECT CASE WHEN next_due <= now OR suspects OR blamed THEN 0 ELSE ? END FROM state)
        FOR UPDATE SKIP LOCKED),
      dropped AS (
        DELETE FROM {turn} WHERE position = ANY (ARRAY(SELECT position FROM picked))),
      held AS (
        INSERT INTO {hold} (channel, tenant, group_key, token, held)
        SELECT DISTINCT ?::int, tenant, group_key, ?::uuid, 1 FROM picked
        ORDER BY tenant, group_key
        ON CONFLICT DO NOTHING RETURNING tenant, group_key, ctid)
      SELECT now, next_due, suspects, NULL, NULL, NULL, {moment}, NULL::tid FROM state
      UNION ALL
      SELECT NULL, NULL, NULL, position, tenant, group_key, NULL, NULL, NULL, NULL FROM picked
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, tenant, group_key, NULL, NULL, NULL, ctid FROM held"""
          .replace("{moment}", GroupStarts.MOMENT)
          .replace("{writes}", "EXISTS (SELECT 1 FROM picked)");
  private static final String[] HOLDS = {hold(PostgresLine.ANYBODY), hold(PostgresLine.TENANT)};

  /** Each group is looked up in its turn, so its rows come together and in order. */
  private static final String HEADS =
      """
      SELECT m.*, g.number
      FROM unnest(?, ?, ?) WITH ORDINALITY AS g(tenant, group_key, start, number)
      CROSS JOIN LATERAL (
        SELECT {columns}, ctid FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
          AND {behind_start} AND sequence < COALESCE((SELECT min(sequence) FROM {dead}
            WHERE channel = ? AND parks = 1 AND tenant = g.tenant
              AND group_key = g.group_key), 9223372036854775807)
        ORDER BY sequence LIMIT ?) m
      LIMIT ?"""
          .replace("{behind_start}", GroupStarts.BEHIND_START);

  /** Notes how many messages of a group are held, if it is not the one that was supposed. */
  private static final String COUNT =
      """
      UPDATE {hold} SET held = g.count FROM unnest(?::tid[], ?::int[]) AS g(place, count)
      WHERE {hold}.ctid = g.place RETURNING tenant, group_key, {hold}.ctid""";

  /** How often one claim looks for further turns. */
  private static final int ROUNDS = 6;

  private static final int LEAST_TURNS = 16;

  /** One of the first messages of a group, and where it lies. */
  private record Head(MessageRow row, long tid) {}

  private final Claiming claim;
  private final Line line;
  private final Groups groups;
  private final GroupStarts starts;
  private final Map<GroupKey, Turn> turns = new LinkedHashMap<>();

  /** The groups that are held, and where the rows lie that say so. */
  private final Map<GroupKey, Long> held = new HashMap<>();

  /** Those of them that have no messages. Whoever writes to them brings a turn along. */
  private final Set<GroupKey> empty = new HashSet<>();

  private final Map<UUID, Place> places;
  private @Nullable State state;
  private @Nullable Moment moment;
  private int picked;
  private int leased;
  private long last;
  private long reach = Long.MAX_VALUE;
  private long visible;

  QuickTurns(Claiming claim, Groups groups, GroupStarts starts) {
    this.claim = claim;
    this.line = claim.line;
    this.groups = groups;
    this.starts = starts;
    this.places = new HashMap<>(2 * claim.room());
  }

  private static String hold(String whose) {
    return PostgresDialect.BY_INDEX
        + PostgresLine.TIME
        + HOLD.replaceFirst("%s", PostgresLine.DUE).replaceFirst("%s", whose);
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
      more = hold(most);
      List<GroupKey> ours = turns.keySet().stream().filter(held::containsKey).toList();
      if (!ours.isEmpty()) {
        Set<GroupKey> gave = lease(ours);
        // With the claim full, the other groups were not looked at and say nothing.
        yield.gave(claim.room() == 0 ? gave.size() : picked - before, leased - had);
        giveUpRest(ours, gave);
      }
      stale = had > 0 && leased == had; // the next claim clears the rest away
    }
    if (picked > 0 && (claim.isEmpty() || (more && claim.room() > 0))) {
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

  /** Takes turns and holds their groups; says whether there may be more turns. */
  private boolean hold(int most) throws SQLException {
    turns.clear();
    held.clear();
    empty.clear();
    int before = picked;
    Seen seen = starts.seen(line.id());
    Session session = line.session();
    int id = line.id();
    String tenant = claim.request.tenant();
    Call call =
        session
            .call(HOLDS[tenant == null ? 0 : 1])
            .with(session.suppliedTime(), id, id, id, id, id, id);
    PostgresLine.within(new Range(last, Long.MAX_VALUE), tenant, call)
        .with(most, id, claim.token)
        .listOfSecond(this::read);
    visible = starts.visible(id, moment(), seen);
    return picked - before == most;
  }

  /** A row is the state of the channel, a turn that was taken, or a group that is held now. */
  private int read(ResultSet row) throws SQLException {
    String tenant = row.getString(5);
    Long position = MessageRow.number(row, 4);
    if (tenant == null) {
      line.session().now(row.getLong(1));
      state = new State(MessageRow.number(row, 2), row.getBoolean(3), true);
      moment = Moment.read(row, 7);
    } else if (position == null) {
      held.put(new GroupKey(tenant, row.getString(6)), Tid.parse(row.getString(10)));
    } else {
      GroupKey group = new GroupKey(tenant, row.getString(6));
      turns.putIfAbsent(group, new Turn(position, group, false));
      picked++;
      last = Math.max(last, position);
    }
    return 0;
  }

  /** The first messages of each group. */
  private List<List<Head>> heads(List<GroupKey> ours) throws SQLException {
    List<List<Head>> heads = new ArrayList<>(ours.size());
    ours.forEach(group -> heads.add(new ArrayList<>()));
    int place = Columns.SIZE + 1;
    Known known = starts.known(line, ours);
    line.session()
        .call(HEADS)
        .with(PostgresGroups.arrays(line, ours))
        .with(known.starts(), line.id(), known.server(), line.id())
        .with(claim.request.groupLimit(), claim.room())
        .each(
            row -> {
              MessageRow message = MessageRow.read(line.session().dialect, row, 1);
              heads
                  .get(row.getInt(place + 1) - 1)
                  .add(new Head(message, Tid.parse(row.getString(place))));
            });
    return heads;
  }

  /** Leases the first messages of the groups; says which groups gave any. */
  private Set<GroupKey> lease(List<GroupKey> ours) throws SQLException {
    List<List<Head>> heads = heads(ours);
    empty.addAll(empty(ours, heads));
    List<MessageRow> chosen = new ArrayList<>(claim.room());
    Map<GroupKey, Run> runs = new LinkedHashMap<>();
    Map<GroupKey, Long> first = new HashMap<>();
    long highest = 0;
    for (int i = 0; i < heads.size(); i++) {
      List<Head> all = heads.get(i);
      if (all.isEmpty()) {
        continue;
      }
      GroupKey group = ours.get(i);
      first.put(group, all.get(0).row().sequence());
      highest = Math.max(highest, all.get(all.size() - 1).row().sequence());
      List<Head> ready = ready(all);
      if (!ready.isEmpty()) {
        Run run = run(group, ready);
        runs.put(group, run);
        for (Head head : ready) {
          chosen.add(head.row());
          places.put(head.row().id(), new Place(head.tid(), head.row().position(), run));
        }
      }
    }
    if (!claim.hasBuried()) {
      starts.found(line.id(), moment(), first, visible, highest);
    }
    leased += chosen.size();
    claim.takeUnwritten(chosen);
    count(runs);
    return runs.keySet();
  }

  /** Groups behind the last row that there was room for were not looked at, and say nothing. */
  private List<GroupKey> empty(List<GroupKey> ours, List<List<Head>> heads) {
    int rows = heads.stream().mapToInt(List::size).sum();
    int looked = heads.size();
    while (rows == claim.room() && heads.get(looked - 1).isEmpty()) {
      looked--;
    }
    return IntStream.range(0, looked)
        .filter(i -> heads.get(i).isEmpty())
        .mapToObj(ours::get)
        .toList();
  }

  /** Up to the last of them nothing else is there, but what is not visible yet. */
  private Run run(GroupKey group, List<Head> ready) {
    long last = ready.get(ready.size() - 1).row().sequence();
    Run run = new Run(group, ready.size(), Math.min(last, visible), moment().server());
    run.holdAt(held.getOrDefault(group, Tid.NOWHERE));
    return run;
  }

  /**
   * Those that can be leased now, up to the first that cannot; none if one of them could be about
   * to be replaced.
   */
  private List<Head> ready(List<Head> heads) throws SQLException {
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
              && !row.hasExpired(claim.now());
      count += going ? 1 : 0;
    }
    return heads.subList(0, count);
  }

  private void count(Map<GroupKey, Run> runs) throws SQLException {
    List<Run> several = runs.values().stream().filter(run -> !run.endsWith(1)).toList();
    if (!several.isEmpty()) {
      long[] places = several.stream().mapToLong(Run::hold).toArray();
      Integer[] counts = several.stream().map(Run::left).toArray(Integer[]::new);
      line.session()
          .call(COUNT)
          .with(Tid.array(places), line.session().connection.createArrayOf("int4", counts))
          .each(
              row -> {
                Run run = runs.get(new GroupKey(row.getString(1), row.getString(2)));
                if (run != null) {
                  run.holdAt(Tid.parse(row.getString(3)));
                }
              });
    }
  }

  /**
   * Groups that gave nothing: those that have nothing are done with, those behind the limit wait
   * on, and the others are looked at closely.
   */
  private void giveUpRest(List<GroupKey> ours, Set<GroupKey> gave) throws SQLException {
    List<GroupKey> rest = ours.stream().filter(group -> !gave.contains(group)).toList();
    if (rest.isEmpty()) {
      return;
    }
    groups.drop(line, claim.token, new TreeSet<>(rest));
    Map<GroupKey, Turn> odd = new LinkedHashMap<>();
    for (GroupKey group : rest) {
      Turn turn = turns.get(group);
      if (turn != null && !empty.contains(group)) {
        odd.put(group, turn);
        reach = Math.min(reach, turn.position() - 1);
      }
    }
    if (claim.room() == 0) {
      groups.add(line, odd.values());
    } else if (!odd.isEmpty()) {
      OrderedClaim.takeFrom(claim, groups, odd);
    }
  }
}
