package dev.mailroom.jdbc;

import dev.mailroom.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Settles completed messages, which nearly all are, in one round trip.
 *
 * <p>Two statements travel together: the first locks the leases, the second begins when they are
 * locked and so sees what they hold now. A message is removed where its claim has put it; what does
 * not lie there any more, leases and holds are looked up one by one by their primary keys and then
 * named by their places, whatever the planner thinks of the size of a table: nobody else changes
 * what a locked lease holds.
 */
final class PostgresSettles extends Settles {
  private static final String LOCK =
      PostgresDialect.BY_INDEX
          + """
      SELECT 1 FROM {lease} WHERE channel = ? AND token = ANY (?) ORDER BY token FOR UPDATE;
      """;

  /**
   * Calculates with what has an index, so that the planner looks at the places and nowhere else.
   */
  private static final String BY_PLACE =
      "ctid = ANY (?::tid[]) AND token = ANY (?) AND channel + 0 = ?";

  private static final String BY_KEY =
      """
      ctid = ANY (ARRAY(
          SELECT m.place FROM unnest(?, ?) AS s(id, token) CROSS JOIN LATERAL (
            SELECT ctid AS place, token FROM {message} WHERE channel = ? AND id = s.id LIMIT 1) m
          WHERE m.token = s.token))""";
  private static final String REMOVE =
      """
      WITH removed AS (
        DELETE FROM {message} WHERE %s
        RETURNING id, token, grouped, tenant, group_key),
      fewer AS MATERIALIZED (
        SELECT l.place, l.held, f.count
        FROM (SELECT token, count(*) AS count FROM removed GROUP BY token) f CROSS JOIN LATERAL (
          SELECT ctid AS place, held FROM {lease} WHERE token = f.token LIMIT 1) l),
      ended AS (
        DELETE FROM {lease} WHERE ctid = ANY (ARRAY(
          SELECT place FROM fewer WHERE held <= count))),
      shrunk AS (
        UPDATE {lease} l SET held = l.held - f.count FROM fewer f
        WHERE l.ctid = f.place AND f.held > f.count)
      """;
  private static final String FREE =
      """
      , lighter AS MATERIALIZED (
        SELECT h.place, h.held, g.count
        FROM (
          SELECT token, tenant, group_key, count(*) AS count FROM removed WHERE grouped = 1
          GROUP BY token, tenant, group_key) g
        CROSS JOIN LATERAL (
          SELECT ctid AS place, token, held FROM {hold}
          WHERE channel = ? AND tenant = g.tenant AND group_key = g.group_key LIMIT 1) h
        WHERE h.token = g.token),
      freed AS (
        DELETE FROM {hold} WHERE ctid = ANY (ARRAY(
          SELECT place FROM lighter WHERE held <= count))
        RETURNING tenant, group_key),
      kept AS (
        UPDATE {hold} h SET held = h.held - g.count FROM lighter g
        WHERE h.ctid = g.place AND g.held > g.count)
      SELECT id, token, NULL, NULL FROM removed
      UNION ALL SELECT NULL, NULL, tenant, group_key FROM freed""";
  private static final String UNGROUPED_BY_PLACE =
      LOCK
          + REMOVE.replace("%s", BY_PLACE + " AND grouped + 0 = 0")
          + "SELECT id, token, NULL, NULL FROM removed";
  private static final String GROUPED_BY_PLACE = LOCK + REMOVE.replace("%s", BY_PLACE) + FREE;
  private static final String GROUPED_BY_KEY = LOCK + REMOVE.replace("%s", BY_KEY) + FREE;

  private final Places places;

  PostgresSettles(Groups groups, Places places) {
    super(groups);
    this.places = places;
  }

  @Override
  Set<UUID> settle(
      Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    return transactions.briefly(
        "settle", session -> within(new Line(session, id, channel), settlements));
  }

  @Override
  Set<UUID> within(Line line, List<Settlement> settlements) throws SQLException {
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
    removeByPlace(line, completed);
    removeByKey(line, completed);
    Set<UUID> lost = new HashSet<>(completed.keySet());
    if (!others.isEmpty()) {
      line.session().dialect.prepare(line.session());
      lost.addAll(new Settling(line, groups).settle(others));
    }
    return lost;
  }

  /** Removes those that lie where they are expected to, and takes them out of the map. */
  private void removeByPlace(Line line, Map<UUID, UUID> completed) throws SQLException {
    List<String> known = new ArrayList<>(completed.size());
    completed.forEach(
        (id, token) -> {
          String place = places.take(token, id);
          if (place != null) {
            known.add(place);
          }
        });
    if (known.isEmpty()) {
      return;
    }
    boolean grouped = line.channel().ordering() != Ordering.NONE;
    Connection connection = line.session().connection;
    Array tokens = connection.createArrayOf("uuid", Set.copyOf(completed.values()).toArray());
    Array lie = connection.createArrayOf("tid", known.toArray());
    remove(
        line,
        grouped ? GROUPED_BY_PLACE : UNGROUPED_BY_PLACE,
        completed,
        grouped
            ? new Object[] {line.id(), tokens, lie, tokens, line.id(), line.id()}
            : new Object[] {line.id(), tokens, lie, tokens, line.id()});
  }

  /** Removes those that are still held, and takes them out of the map. */
  private void removeByKey(Line line, Map<UUID, UUID> completed) throws SQLException {
    if (completed.isEmpty()) {
      return;
    }
    List<UUID> ids = Ids.sorted(completed.keySet());
    Connection connection = line.session().connection;
    Array tokens = connection.createArrayOf("uuid", Set.copyOf(completed.values()).toArray());
    Array each = connection.createArrayOf("uuid", ids.stream().map(completed::get).toArray());
    Array keys = connection.createArrayOf("uuid", ids.toArray());
    remove(
        line,
        GROUPED_BY_KEY,
        completed,
        new Object[] {line.id(), tokens, keys, each, line.id(), line.id()});
  }

  private void remove(Line line, String sql, Map<UUID, UUID> completed, Object[] values)
      throws SQLException {
    List<GroupKey> freed = new ArrayList<>(0);
    Session session = line.session();
    session
        .call(sql)
        .with(values)
        .listOf(
            3,
            row -> {
              UUID id = row.getObject(1, UUID.class);
              if (id == null) {
                freed.add(new GroupKey(row.getString(3), row.getString(4)));
              } else if (!completed.remove(id, row.getObject(2, UUID.class))) {
                throw new MovedException();
              }
              return 0;
            });
    groups.refresh(line, freed);
  }

  /**
   * Where a message was expected there lay another one of the same worker: everything is undone and
   * done again, by key.
   */
  private static final class MovedException extends SQLException {
    private static final long serialVersionUID = 1L;

    MovedException() {
      super("Messages have moved in their table", SqlErrors.CONFLICT);
    }
  }
}
