package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles completed messages, which nearly all are, in two round trips.
 *
 * <p>In the first, two statements travel together: one locks the leases, the other begins when they
 * are locked and so sees what they hold now, and removes messages where their claim has found them.
 * What does not lie there any more is looked up by its key. In the second, leases and held groups
 * are looked up one by one by their primary keys and then named by their places, whatever the
 * planner thinks of the size of a table: nobody else changes what a locked lease holds.
 */
final class PostgresSettles extends Settles {
  private static final String LOCK =
      PostgresDialect.BY_INDEX
          + """
      SELECT 1 FROM {lease} WHERE channel = ? AND token = ANY (?) ORDER BY token FOR UPDATE;
      """;

  /**
   * A message that lies where it is expected to, with the position that it was leased with, is
   * still leased: whoever takes it from its lease gives it another position. Calculates with what
   * has an index, so that the planner looks at the places and nowhere else.
   */
  private static final String BY_PLACE =
      LOCK
          + """
      DELETE FROM {message} WHERE ctid = ANY (?::tid[]) AND channel + 0 = ? RETURNING position""";

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
        SELECT l.place, l.held, o.count FROM unnest(?::uuid[], ?::int[]) AS o(token, count)
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
  private static final String SHRINK_AND_FREE =
      SHRINK
          + """
      , lighter AS MATERIALIZED (
        SELECT h.place, h.held, g.count
        FROM unnest(?::text[], ?::text[], ?::int[]) AS g(tenant, group_key, count)
        CROSS JOIN LATERAL (
          SELECT ctid AS place, held FROM {hold}
          WHERE channel = ? AND tenant = g.tenant AND group_key = g.group_key LIMIT 1) h),
      freed AS (
        DELETE FROM {hold} WHERE ctid = ANY (ARRAY(
          SELECT place FROM lighter WHERE held <= count))
        RETURNING tenant, group_key),
      kept AS (
        UPDATE {hold} h SET held = h.held - g.count FROM lighter g
        WHERE h.ctid = g.place AND g.held > g.count)
      SELECT tenant, group_key FROM freed""";

  private final Places places;

  PostgresSettles(Groups groups, Places places) {
    super(groups);
    this.places = places;
  }

  @Override
  Settled settle(Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    return transactions.briefly(
        "settle", session -> within(new Line(session, id, channel), settlements));
  }

  @Override
  Settled within(Line line, List<Settlement> settlements) throws SQLException {
    Map<UUID, UUID> completed = new LinkedHashMap<>();
    List<Settlement> others = new ArrayList<>(0);
    for (Settlement settlement : settlements) {
      boolean quick =
          line.policy().history() == null
              && settlement.outcome() instanceof Outcome.Completed
              && completed.putIfAbsent(settlement.id(), settlement.token()) == null;
      if (!quick) {
        others.add(settlement);
      }
    }
    Removed removed = new Removed();
    removeByPlace(line, completed, removed);
    removeByKey(line, completed, removed);
    boolean freed = release(line, removed);
    Set<UUID> lost = new HashSet<>(completed.keySet());
    if (!others.isEmpty()) {
      line.session().dialect.prepare(line.session());
      Settled rest = super.within(line, others);
      lost.addAll(rest.lost());
      freed |= rest.freed();
    }
    return new Settled(lost, freed);
  }

  /** How many messages were removed, by lease and by group. */
  private static final class Removed {
    private final Map<UUID, Integer> perLease = new LinkedHashMap<>();
    private final Map<GroupKey, Integer> perGroup = new HashMap<>();

    private void add(UUID token, @Nullable GroupKey group) {
      perLease.merge(token, 1, Integer::sum);
      if (group != null) {
        perGroup.merge(group, 1, Integer::sum);
      }
    }
  }

  /** A message, where it is expected to lie, and under which lease. */
  private record Expected(UUID id, UUID token, Place place) {}

  /** Removes those that lie where they are expected to, and takes them out of the map. */
  private void removeByPlace(Line line, Map<UUID, UUID> completed, Removed removed)
      throws SQLException {
    Map<Long, Expected> known = new HashMap<>(2 * completed.size());
    completed.forEach(
        (id, token) -> {
          Place place = places.take(token, id);
          if (place != null) {
            known.put(place.position(), new Expected(id, token, place));
          }
        });
    if (known.isEmpty()) {
      return;
    }
    Collection<Expected> expected = List.copyOf(known.values());
    Connection connection = line.session().connection;
    Object[] tokens = expected.stream().map(Expected::token).distinct().toArray();
    Object[] tids = expected.stream().map(each -> each.place().tid()).toArray();
    line.session()
        .call(BY_PLACE)
        .with(line.id(), connection.createArrayOf("uuid", tokens))
        .with(connection.createArrayOf("tid", tids), line.id())
        .listOf(
            3,
            row -> {
              Expected each = known.get(row.getLong(1));
              if (each == null) {
                throw new MovedException();
              }
              completed.remove(each.id());
              removed.add(each.token(), each.place().group());
              return 0;
            });
  }

  /** Removes those that are still held, and takes them out of the map. */
  private static void removeByKey(Line line, Map<UUID, UUID> completed, Removed removed)
      throws SQLException {
    if (completed.isEmpty()) {
      return;
    }
    List<UUID> ids = Ids.sorted(completed.keySet());
    Connection connection = line.session().connection;
    Array tokens = connection.createArrayOf("uuid", Set.copyOf(completed.values()).toArray());
    Array each = connection.createArrayOf("uuid", ids.stream().map(completed::get).toArray());
    line.session()
        .call(BY_KEY)
        .with(line.id(), tokens, connection.createArrayOf("uuid", ids.toArray()), each, line.id())
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

  /**
   * Leases that hold nothing more end, and groups of which nothing more is held are free. Says
   * whether one of those has something to claim.
   */
  private boolean release(Line line, Removed removed) throws SQLException {
    if (removed.perLease.isEmpty()) {
      return false;
    }
    Connection connection = line.session().connection;
    Map<GroupKey, Integer> held = new TreeMap<>(removed.perGroup); // as everybody locks them
    Call call =
        line.session()
            .call(held.isEmpty() ? SHRINK_ONLY : SHRINK_AND_FREE)
            .with(connection.createArrayOf("uuid", removed.perLease.keySet().toArray()))
            .with(connection.createArrayOf("int4", removed.perLease.values().toArray()));
    if (!held.isEmpty()) {
      Object[] tenants = held.keySet().stream().map(GroupKey::tenant).toArray();
      Object[] keys = held.keySet().stream().map(GroupKey::key).toArray();
      call.with(connection.createArrayOf("text", tenants), connection.createArrayOf("text", keys))
          .with(connection.createArrayOf("int4", held.values().toArray()), line.id());
    }
    return groups.refresh(line, call.list(row -> new GroupKey(row.getString(1), row.getString(2))));
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
