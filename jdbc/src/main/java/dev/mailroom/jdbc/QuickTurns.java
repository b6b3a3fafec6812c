package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Groups.Turn;
import dev.mailroom.jdbc.PostgresLine.State;
import dev.mailroom.jdbc.Watermark.Range;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claim of ordered groups that nearly all are: their heads are ready, have done no harm, and
 * are not being replaced in an open transaction, for which it would have to wait. The first
 * statement takes turns and holds their groups, the second sees all that came before and leases the
 * first messages. Groups with which it is not so simple go the way of {@link OrderedClaim}.
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
      alive AS MATERIALIZED (
        SELECT p.* FROM (
          SELECT tenant, group_key, min(position) AS position FROM picked
          GROUP BY tenant, group_key) p
        CROSS JOIN LATERAL (
          SELECT 1 FROM {message} WHERE channel = ? AND grouped = 1 AND tenant = p.tenant
            AND group_key = p.group_key
          ORDER BY sequence LIMIT 1) m),
      dropped AS (
        DELETE FROM {turn} WHERE position = ANY (ARRAY(SELECT position FROM picked))),
      held AS (
        INSERT INTO {hold} (channel, tenant, group_key, token, held)
        SELECT ?::int, tenant, group_key, ?::uuid, 0 FROM alive
        ORDER BY tenant, group_key
        ON CONFLICT DO NOTHING RETURNING tenant, group_key, ctid)
      SELECT now, next_due, NULL, NULL, suspects, NULL FROM state
      UNION ALL SELECT count(*), max(position), NULL, NULL, NULL, NULL FROM picked
      UNION ALL SELECT position, NULL, tenant, group_key, NULL, NULL FROM alive
      UNION ALL SELECT NULL, NULL, tenant, group_key, NULL, ctid::text FROM held""";
  private static final String[] HOLDS = {hold(PostgresLine.ANYBODY), hold(PostgresLine.TENANT)};
  private static final String LEASE =
      """
      WITH groups AS MATERIALIZED (
        SELECT * FROM unnest(?, ?, ?::tid[])
          WITH ORDINALITY AS g(tenant, group_key, hold, number)),
      heads AS MATERIALIZED (
        SELECT g.number, g.hold, m.* FROM groups g CROSS JOIN LATERAL (
          SELECT ctid AS place, sequence,
            visible_at <= ? AND crashes = 0 AND (expires_at IS NULL OR expires_at > ?) AS good,
            collapse_key = '' AS stays
          FROM {message}
          WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
            AND sequence < COALESCE((SELECT min(sequence) FROM {dead}
              WHERE channel = ? AND parks = 1 AND tenant = g.tenant
                AND group_key = g.group_key), 9223372036854775807)
          ORDER BY sequence LIMIT ?) m
        LIMIT ?),
      chosen AS MATERIALIZED (
        SELECT number, hold, place FROM (
          SELECT number, hold, place,
            bool_and(good) OVER (PARTITION BY number ORDER BY sequence) AS fine,
            bool_and(stays) OVER (PARTITION BY number) AS stays
          FROM heads) h
        WHERE fine AND stays),
      counted AS (
        UPDATE {hold} SET held = c.count
        FROM (SELECT hold, count(*) AS count FROM chosen GROUP BY number, hold) c
        WHERE {hold}.ctid = c.hold)
      UPDATE {message} SET token = ?, attempts = attempts + 1
      WHERE ctid = ANY (ARRAY(SELECT place FROM chosen)) AND token IS NULL
      RETURNING {columns}, ctid, (SELECT count(*) FROM chosen),
        (SELECT max(number) FROM heads HAVING count(*) = ?),
        (SELECT array_agg(number) FROM (
          SELECT number FROM heads EXCEPT SELECT number FROM chosen) o)""";

  /** How often one claim looks for further turns. */
  private static final int ROUNDS = 6;

  private static final int LEAST_TURNS = 16;

  private final Claiming claim;
  private final Line line;
  private final Groups groups;
  private final Map<GroupKey, Turn> turns = new LinkedHashMap<>();

  /** Groups that it has just taken, and where their holds lie. */
  private final Map<GroupKey, String> held = new HashMap<>();

  private final Map<UUID, String> places = new HashMap<>();
  private @Nullable State state;
  private int picked;
  private int leased;
  private long last;
  private long reach = Long.MAX_VALUE;

  QuickTurns(Claiming claim, Groups groups) {
    this.claim = claim;
    this.line = claim.line;
    this.groups = groups;
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
      List<Turn> ours =
          turns.values().stream().filter(turn -> held.containsKey(turn.group())).toList();
      if (!ours.isEmpty()) {
        Leased found = lease(ours);
        // With the claim full, the other groups were not looked at and say nothing.
        yield.gave(claim.room() == 0 ? found.reached() : picked - before, leased - had);
        giveUpRest(ours, found);
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

  /** Up to where no turn is left behind. */
  long reach() {
    return Math.min(last, reach);
  }

  /** Where the messages lie now. */
  Map<UUID, String> places() {
    return places;
  }

  /** Takes turns and holds their groups; says whether there may be more turns. */
  private boolean hold(int most) throws SQLException {
    turns.clear();
    held.clear();
    int before = picked;
    Session session = line.session();
    int id = line.id();
    String tenant = claim.request.tenant();
    Call call =
        session
            .call(HOLDS[tenant == null ? 0 : 1])
            .with(session.suppliedTime(), id, id, id, id, id, id);
    PostgresLine.within(new Range(last, Long.MAX_VALUE), tenant, call)
        .with(most, id, id, claim.token)
        .listOfSecond(this::read);
    return picked - before == most;
  }

  /**
   * A row is the state of the channel, how many turns were taken and the last of them, a group that
   * has messages, or a group that is held now and where its hold lies.
   */
  private int read(ResultSet row) throws SQLException {
    String tenant = row.getString(3);
    Long number = MessageRow.number(row, 1);
    boolean suspects = row.getBoolean(5);
    boolean isState = !row.wasNull();
    if (isState) {
      line.session().now(row.getLong(1));
      state = new State(MessageRow.number(row, 2), suspects, true);
    } else if (tenant == null) {
      picked += row.getInt(1);
      last = Math.max(last, row.getLong(2));
    } else if (number == null) {
      held.put(new GroupKey(tenant, row.getString(4)), row.getString(6));
    } else {
      GroupKey group = new GroupKey(tenant, row.getString(4));
      turns.put(group, new Turn(number, group, false));
    }
    return 0;
  }

  /**
   * What came of a look at groups.
   *
   * @param gave those of which messages were leased
   * @param reached how many of the groups were looked at
   * @param odd those that have messages of which none was leased, by their numbers; null if that is
   *     not known
   */
  private record Leased(Set<GroupKey> gave, int reached, @Nullable Set<Long> odd) {
    boolean isOdd(int number) {
      return odd == null || odd.contains((long) number);
    }
  }

  /** Leases the first messages of the groups. */
  private Leased lease(List<Turn> ours) throws SQLException {
    Session session = line.session();
    int id = line.id();
    Summary summary = new Summary(claim.room());
    Object[] holds = ours.stream().map(turn -> held.get(turn.group())).toArray();
    session
        .call(LEASE)
        .with(PostgresGroups.arrays(line, ours.stream().map(Turn::group).toList()))
        .with(session.connection.createArrayOf("tid", holds))
        .with(claim.now(), claim.now(), id, id, claim.request.groupLimit())
        .with(claim.room(), claim.token, claim.room())
        .list(row -> summary.read(session, row));
    List<MessageRow> rows = summary.rows;
    if (rows.size() < summary.expected) {
      throw new VanishedException();
    }
    leased += rows.size();
    claim.take(rows);
    Set<GroupKey> gave = new HashSet<>();
    rows.forEach(row -> gave.add(GroupKey.of(row.envelope().routing())));
    return new Leased(gave, summary.reached == 0 ? ours.size() : summary.reached, summary.odd);
  }

  /** What was leased so far, and what the first row says about all of them. */
  private final class Summary {
    private static final int PLACE = 1 + Columns.SIZE;

    private final List<MessageRow> rows;
    private int expected;
    private int reached; // the last group that was looked at, or 0 if all were
    private @Nullable Set<Long> odd;

    private Summary(int most) {
      this.rows = new ArrayList<>(most);
    }

    private int read(Session session, ResultSet row) throws SQLException {
      if (rows.isEmpty()) {
        expected = row.getInt(PLACE + 1);
        reached = row.getInt(PLACE + 2);
        Array numbers = row.getArray(PLACE + 3);
        odd = numbers == null ? Set.of() : Set.of((Long[]) numbers.getArray());
      }
      MessageRow message = MessageRow.read(session.dialect, row, 1);
      rows.add(message);
      places.put(message.id(), row.getString(PLACE));
      return 0;
    }
  }

  /**
   * Groups that gave nothing: those that were not reached wait on, those that have messages all the
   * same are looked at closely, and the turns of the others were stale.
   */
  private void giveUpRest(List<Turn> ours, Leased found) throws SQLException {
    SortedSet<GroupKey> given = new TreeSet<>();
    List<Turn> back = new ArrayList<>();
    List<Turn> odd = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      Turn turn = ours.get(i);
      boolean isReached = i < found.reached();
      if (found.gave().contains(turn.group())) {
        continue;
      }
      if (isReached && found.isOdd(i + 1) && claim.room() > 0) {
        odd.add(turn);
        reach = Math.min(reach, turn.position() - 1);
        continue;
      }
      given.add(turn.group());
      if (!isReached || found.isOdd(i + 1)) {
        back.add(turn);
        reach = Math.min(reach, turn.position() - 1);
      }
    }
    groups.drop(line, claim.token, given);
    groups.add(line, back);
    if (!odd.isEmpty()) {
      OrderedClaim.takeFrom(claim, groups, odd);
    }
  }

  /** A message was cancelled or collapsed at the same moment: all of the claim is done again. */
  private static final class VanishedException extends SQLException {
    private static final long serialVersionUID = 1L;

    VanishedException() {
      super("Messages have gone while they were leased", SqlErrors.CONFLICT);
    }
  }
}
