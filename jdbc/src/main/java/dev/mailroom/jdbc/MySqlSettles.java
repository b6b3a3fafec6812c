package dev.mailroom.jdbc;

import dev.mailroom.jdbc.LeaseRows.LeaseRow;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Settles completed messages of unordered channels, which nearly all are, without reading them.
 *
 * <p>A row that carries the token of a lease that is locked and still there is held. So the token
 * is a condition of the deletion, and the number of rows tells that all of them were held. If some
 * were not, it is undone, and each message is looked at.
 */
final class MySqlSettles extends Settles {
  /**
   * Calculates with what is in an index, so that the primary key is the only one that can be used,
   * whatever the server believes about the size of the table.
   */
  private static final String REMOVE =
      """
      DELETE FROM {message}
      WHERE channel = ? AND id IN ({list}) AND token = ? AND grouped + 0 = 0""";

  MySqlSettles(Groups groups) {
    super(groups);
  }

  @Override
  Settled within(Line line, List<Settlement> settlements) throws SQLException {
    Map<UUID, List<UUID>> completed = new TreeMap<>(Ids.ORDER);
    List<Settlement> others = new ArrayList<>(0);
    Set<UUID> ids = new HashSet<>(2 * settlements.size());
    for (Settlement settlement : settlements) {
      ids.add(settlement.id());
      if (settlement.outcome() instanceof Outcome.Completed) {
        completed
            .computeIfAbsent(settlement.token(), token -> new ArrayList<>())
            .add(settlement.id());
      } else {
        others.add(settlement);
      }
    }
    boolean quick =
        !completed.isEmpty()
            && ids.size() == settlements.size()
            && line.policy().history() == null
            && line.channel().ordering() == Ordering.NONE;
    List<Settlement> rest = quick && remove(line, completed) ? others : settlements;
    return rest.isEmpty() ? new Settled(Set.of(), false) : super.within(line, rest);
  }

  /** Removes messages, given by their leases; or does nothing if one of them was not held. */
  private static boolean remove(Line line, Map<UUID, List<UUID>> completed) throws SQLException {
    Map<UUID, LeaseRow> leases = LeaseRows.lock(line, completed.keySet());
    if (leases.size() < completed.size()) {
      return false;
    }
    Session session = line.session();
    Dialect.execute(session.connection, "SAVEPOINT mailroom_settle");
    Map<UUID, Integer> counts = new HashMap<>();
    for (Map.Entry<UUID, List<UUID>> each : completed.entrySet()) {
      UUID token = each.getKey();
      int count =
          session.sum(
              Ids.sorted(each.getValue()),
              piece -> session.call(REMOVE).with(line.id(), piece, token).update());
      if (count < each.getValue().size()) {
        Dialect.execute(session.connection, "ROLLBACK TO SAVEPOINT mailroom_settle");
        return false;
      }
      counts.put(token, count);
    }
    LeaseRows.shrink(line, leases, counts);
    return true;
  }
}
