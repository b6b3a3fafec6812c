package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.jdbc.PostgresHolds.Hold;
import dev.mailroom.jdbc.PostgresHolds.Share;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles completed messages, which nearly all are, in two round trips.
 *
 * <p>In the first, two statements travel together: one locks the leases, the other begins when they
 * are locked and so sees what they hold now, and removes messages where their claim has found them.
 * What does not lie there any more is looked up by its key. In the second, leases and what they
 * hold are looked up one by one by their primary keys and then named by their places, whatever the
 * planner thinks of the size of a table: nobody else changes what a locked lease holds. Groups cost
 * a further one: they are looked at once they are free; and so do leases of groups that go on.
 */
final class PostgresSettles extends Settles {
  /** Locks the leases in the order in which they are given. */
  private static final String LOCK =
      PostgresDialect.BY_INDEX
          + """
      SELECT 1 FROM unnest(?::uuid[]) AS k(token) CROSS JOIN LATERAL (
        SELECT 1 FROM {lease} WHERE token = k.token AND channel = ? LIMIT 1 FOR UPDATE) l;
      """;

  /**
   * A message that lies where it is expected to, with the position that it was leased with, is
   * still leased, if the lease is there: whoever takes it from its lease gives it another position,
   * but a crash of the server may have lost the lease. Calculates with what has an index, so that
   * the planner looks at the places and nowhere else. Tells what it has removed only if that is not
   * what was expected.
   */
  private static final String BY_PLACE =
      LOCK
          + """
      WITH gone AS (
        DELETE FROM {message} WHERE ctid = ANY (?::tid[]) AND channel + 0 = ?
          AND (SELECT count(*) FROM {lease} WHERE token = ANY (?)) = ? RETURNING position)
      SELECT NULLIF(positions, ?::bigint[]) FROM (
        SELECT COALESCE(array_agg(position), '{}') AS positions FROM gone) g""";

  private static final String BY_KEY =
      LOCK
          + """
      DELETE FROM {message} WHERE ctid = ANY (ARRAY(
        SELECT m.place FROM unnest(?::uuid[], ?::uuid[]) AS s(id, token) CROSS JOIN LATERAL (
          SELECT ctid AS place, {token} AS token FROM {message}
          WHERE channel = ? AND id = s.id LIMIT 1) m
        WHERE m.token = s.token))
      RETURNING id, grouped, tenant, group_key""";
  private static final String SHRINK =
      """
      WITH fewer AS MATERIALIZED (
        SELECT o.token, l.place, l.held, o.count
        FROM unnest(?::uuid[], ?::int[]) AS o(token, count)
        CROSS JOIN LATERAL (
          SELECT ctid AS place, held FROM {lease} WHERE token = o.token LIMIT 1) l),
      ended AS (
        DELETE FROM {lease} WHERE ctid = ANY (ARRAY(
          SELECT place FROM fewer WHERE held <= count))),
      shrunk AS (
        UPDATE {lease} l SET held = l.held - f.count FROM fewer f
        WHERE l.ctid = f.place AND f.held > f.count)
      """;
  private static final String SHRINK_ONLY = SHRINK + "SELECT NULL, NULL WHERE false";

  /** The same; a lease that ends holds no group any more. */
  private static final String SHRINK_AND_FREE =
      SHRINK
          + """
      , freed AS (
        DELETE FROM {hold} WHERE ctid = ANY (ARRAY(
          SELECT h.place FROM fewer f CROSS JOIN LATERAL (
            SELECT ctid AS place FROM {hold} WHERE token = f.token OFFSET 0) h
          WHERE f.held <= f.count)))
      SELECT COALESCE(?::bigint, {now}),
        (SELECT array_agg(token) FROM fewer WHERE held <= count)"""
              .replace("{now}", PostgresDialect.NOW);

  private final PostgresGroups turns;
  private final Places places;
  private final GroupStarts starts;

  PostgresSettles(PostgresGroups groups, Places places, GroupStarts starts) {
    super(groups);
    this.turns = groups;
    this.places = places;
    this.starts = starts;
  }

  /** What was settled, what was removed, and whose runs have ended. */
  private record Done(Settled settled, Removed removed, Collection<Run> ended) {}

  /** A message, where it is expected to lie, and under which lease. */
  private record Expected(UUID id, UUID token, Place place) {}

  @Override
  Settled settle(Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    Done done =
        transactions.briefly(
            "settle", session -> apply(new Line(session, id, channel), settlements));
    starts.ended(id, done.ended());
    done.removed().committed();
    return done.settled();
  }

  @Override
  Settled within(Line line, List<Settlement> settlements) throws SQLException {
    return apply(line, settlements).settled();
  }

  private Done apply(Line line, List<Settlement> settlements) throws SQLException {
    List<Expected> expected = new ArrayList<>(settlements.size());
    Map<UUID, UUID> elsewhere = new LinkedHashMap<>(0);
    List<Settlement> others = new ArrayList<>(0);
    for (Settlement settlement : settlements) {
      UUID id = settlement.id();
      UUID token = settlement.token();
      boolean quick =
          line.policy().history() == null && settlement.outcome() instanceof Outcome.Completed;
      Place place = quick ? places.take(token, id) : null;
      if (place != null) {
        expected.add(new Expected(id, token, place));
      } else if (!quick || elsewhere.putIfAbsent(id, token) != null) {
        others.add(settlement);
      }
    }
    Removed removed = new Removed();
    removeByPlace(line, expected, removed)
        .forEach(each -> elsewhere.putIfAbsent(each.id(), each.token()));
    removeByKey(line, elsewhere, removed);
    Set<GroupKey> free = release(line, removed);
    Map<GroupKey, Run> ended = removed.ended(free);
    boolean freed = turns.refresh(line, free, ended);
    Set<UUID> lost = new HashSet<>(elsewhere.keySet());
    if (!others.isEmpty()) {
      line.session().dialect.prepare(line.session());
      Settled rest = super.within(line, others);
      lost.addAll(rest.lost());
      freed |= rest.freed();
    }
    return new Done(new Settled(lost, freed), removed, ended.values());
  }

  /** Removes those that lie where they are expected to; says which do not. */
  private static List<Expected> removeByPlace(Line line, List<Expected> expected, Removed removed)
      throws SQLException {
    if (expected.isEmpty()) {
      return List.of();
    }
    expected.sort(Comparator.comparingLong(each -> each.place().tid()));
    Set<UUID> tokens = new LinkedHashSet<>();
    long[] tids = new long[expected.size()];
    Long[] positions = new Long[expected.size()];
    for (int i = 0; i < tids.length; i++) {
      Expected each = expected.get(i);
      tokens.add(each.token());
      tids[i] = each.place().tid();
      positions[i] = each.place().position();
    }
    Connection connection = line.session().connection;
    Array leases = connection.createArrayOf("uuid", Ids.sorted(tokens).toArray());
    Long[] found =
        line.session()
            .call(BY_PLACE)
            .with(leases, line.id(), Tid.array(tids), line.id(), leases, tokens.size())
            .with(connection.createArrayOf("int8", positions))
            .listOf(3, row -> numbers(row.getArray(1), positions))
            .get(0);
    if (found == positions) {
      expected.forEach(each -> removed.add(each.token(), each.place().run()));
      return List.of();
    }
    return missing(expected, found, removed);
  }

  private static Long[] numbers(@Nullable Array array, Long[] otherwise) throws SQLException {
    return array == null ? otherwise : (Long[]) array.getArray();
  }

  /** Those whose positions were not found. */
  private static List<Expected> missing(List<Expected> expected, Long[] found, Removed removed)
      throws SQLException {
    Map<Long, Expected> missing = new LinkedHashMap<>();
    expected.forEach(each -> missing.put(each.place().position(), each));
    for (Long position : found) {
      Expected each = missing.remove(position);
      if (each == null) {
        throw new MovedException();
      }
      removed.add(each.token(), each.place().run());
    }
    return List.copyOf(missing.values());
  }

  /** Removes those that are still held, and takes them out of the map. */
  private static void removeByKey(Line line, Map<UUID, UUID> completed, Removed removed)
      throws SQLException {
    if (completed.isEmpty()) {
      return;
    }
    List<UUID> ids = Ids.sorted(completed.keySet());
    Connection connection = line.session().connection;
    List<UUID> leases = Ids.sorted(Set.copyOf(completed.values()));
    Array tokens = connection.createArrayOf("uuid", leases.toArray());
    Array each = connection.createArrayOf("uuid", ids.stream().map(completed::get).toArray());
    line.session()
        .call(BY_KEY)
        .with(tokens, line.id(), connection.createArrayOf("uuid", ids.toArray()), each, line.id())
        .listOf(
            3,
            row -> {
              UUID token = completed.remove(row.getObject(1, UUID.class));
              boolean grouped = row.getInt(2) != 0;
              GroupKey group = new GroupKey(row.getString(3), row.getString(4));
              if (token != null) {
                removed.add(token, grouped ? group : null);
              }
              return 0;
            });
  }

  /** Leases that hold nothing more end. Says of which groups nothing more is held. */
  private static Set<GroupKey> release(Line line, Removed removed) throws SQLException {
    if (!removed.holds().isEmpty()) {
      return free(line, removed);
    }
    if (!removed.leases().isEmpty()) {
      shrink(line, SHRINK_ONLY, removed.leases()).list(row -> 0);
    }
    return Set.of();
  }

  /** All groups of leases that end with this; of the others those that they hold nothing of. */
  private static Set<GroupKey> free(Line line, Removed removed) throws SQLException {
    Set<UUID> ended = new HashSet<>();
    shrink(line, SHRINK_AND_FREE, removed.leases())
        .with(line.session().suppliedTime())
        .each(
            row -> {
              line.session().now(row.getLong(1));
              Array tokens = row.getArray(2);
              ended.addAll(tokens == null ? Set.of() : Set.of((UUID[]) tokens.getArray()));
            });
    Set<GroupKey> free = new HashSet<>();
    Map<Hold, Share> others = new LinkedHashMap<>();
    removed
        .holds()
        .forEach(
            (hold, share) -> {
              if (ended.contains(hold.token())) {
                free.add(hold.group());
              } else {
                others.put(hold, share);
              }
            });
    free.addAll(PostgresHolds.lessen(line, others));
    return free;
  }

  private static Call shrink(Line line, String statement, Map<UUID, Integer> leases)
      throws SQLException {
    Connection connection = line.session().connection;
    return line.session()
        .call(statement)
        .with(connection.createArrayOf("uuid", leases.keySet().toArray()))
        .with(connection.createArrayOf("int4", leases.values().toArray(Integer[]::new)));
  }

  /**
   * Where a message was expected there lay another one, which is possible only if the lease is
   * lost: everything is undone and done again, by key.
   */
  private static final class MovedException extends SQLException {
    private static final long serialVersionUID = 1L;

    MovedException() {
      super("Messages have moved in their table", SqlErrors.CONFLICT);
    }
  }
}
