package dev.mailroom.jdbc;

import dev.mailroom.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Settles completed messages, which nearly all are, in one round trip.
 *
 * <p>Two statements travel together: the first locks the leases, the second begins when they are
 * locked and so sees what they hold now. Without ordered groups that is the whole transaction.
 * Messages, leases and holds are looked up one by one by their primary keys and then named by their
 * places in the table, whatever the planner thinks of the size of a table: nobody else changes what
 * a locked lease holds.
 */
final class PostgresSettles extends Settles {
  private static final String LOCK =
      PostgresDialect.BY_INDEX
          + """
      SELECT 1 FROM {lease} WHERE channel = ? AND token = ANY (?) ORDER BY token FOR UPDATE;
      """;
  private static final String REMOVE =
      """
      WITH removed AS (
        DELETE FROM {message} WHERE ctid = ANY (ARRAY(
          SELECT m.place FROM unnest(?, ?) AS s(id, token) CROSS JOIN LATERAL (
            SELECT ctid AS place, token, grouped FROM {message}
            WHERE channel = ? AND id = s.id LIMIT 1) m
          WHERE m.token = s.token %s))
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
  private static final String UNGROUPED =
      LOCK + REMOVE.replace("%s", "AND m.grouped = 0") + "SELECT id, NULL, NULL FROM removed";
  private static final String GROUPED =
      LOCK
          + REMOVE.replace("%s", "")
          + """
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
          SELECT id, NULL, NULL FROM removed
          UNION ALL SELECT NULL, tenant, group_key FROM freed""";

  PostgresSettles(Groups groups) {
    super(groups);
  }

  @Override
  Set<UUID> settle(
      Transactions transactions, int id, Channel channel, List<Settlement> settlements) {
    Sorted sorted = Sorted.of(channel, settlements);
    if (sorted.isQuick(channel)) {
      Set<UUID> lost =
          transactions.each(
              "settle", session -> remove(new Line(session, id, channel), sorted.completed, false));
      if (lost.isEmpty()) {
        return lost;
      }
      sorted.retain(lost);
    }
    return transactions.run("settle", session -> rest(new Line(session, id, channel), sorted));
  }

  @Override
  Set<UUID> within(Line line, List<Settlement> settlements) throws SQLException {
    Sorted sorted = Sorted.of(line.channel(), settlements);
    if (sorted.isQuick(line.channel())) {
      Set<UUID> lost = remove(line, sorted.completed, false);
      if (lost.isEmpty()) {
        return lost;
      }
      sorted.retain(lost);
    }
    return rest(line, sorted);
  }

  private Set<UUID> rest(Line line, Sorted sorted) throws SQLException {
    Set<UUID> lost = new HashSet<>(remove(line, sorted.completed, true));
    if (!sorted.others.isEmpty()) {
      lost.addAll(new Settling(line, groups).settle(sorted.others));
    }
    return lost;
  }

  /** What can simply be removed, and what cannot. */
  private record Sorted(List<Settlement> completed, List<Settlement> others) {
    static Sorted of(Channel channel, List<Settlement> settlements) {
      Sorted sorted = new Sorted(new ArrayList<>(settlements.size()), new ArrayList<>(0));
      Set<UUID> seen = new HashSet<>();
      for (Settlement settlement : settlements) {
        boolean quick =
            channel.policy().history() == null
                && settlement.outcome() instanceof Outcome.Completed
                && seen.add(settlement.id());
        (quick ? sorted.completed : sorted.others).add(settlement);
      }
      return sorted;
    }

    /** Whether one statement will do, unless something is lost. */
    boolean isQuick(Channel channel) {
      return others.isEmpty() && channel.ordering() == Ordering.NONE;
    }

    /** Keeps what was not removed: lost, or grouped since the channel was ordered once. */
    void retain(Set<UUID> lost) {
      completed.removeIf(settlement -> !lost.contains(settlement.id()));
    }
  }

  private Set<UUID> remove(Line line, List<Settlement> completed, boolean grouped)
      throws SQLException {
    Set<UUID> lost = new HashSet<>();
    if (completed.isEmpty()) {
      return lost;
    }
    List<Settlement> sorted = new ArrayList<>(completed);
    sorted.sort((one, other) -> Ids.ORDER.compare(one.id(), other.id()));
    UUID[] ids = new UUID[sorted.size()];
    UUID[] tokens = new UUID[sorted.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = sorted.get(i).id();
      tokens[i] = sorted.get(i).token();
      lost.add(ids[i]);
    }
    Session session = line.session();
    List<GroupKey> freed = new ArrayList<>(0);
    try (PreparedStatement statement =
        session.prepare(session.schema.render(grouped ? GROUPED : UNGROUPED))) {
      statement.setInt(1, line.id());
      statement.setArray(2, session.connection.createArrayOf("uuid", distinct(tokens)));
      statement.setArray(3, session.connection.createArrayOf("uuid", ids));
      statement.setArray(4, session.connection.createArrayOf("uuid", tokens));
      statement.setInt(5, line.id());
      if (grouped) {
        statement.setInt(6, line.id());
      }
      statement.execute();
      statement.getMoreResults(); // the setting,
      statement.getMoreResults(); // and the locks
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          UUID id = rows.getObject(1, UUID.class);
          if (id != null) {
            lost.remove(id);
          } else {
            freed.add(new GroupKey(rows.getString(2), rows.getString(3)));
          }
        }
      }
    }
    groups.refresh(line, freed);
    return lost;
  }

  private static UUID[] distinct(UUID[] tokens) {
    return Set.copyOf(Arrays.asList(tokens)).toArray(UUID[]::new);
  }
}
