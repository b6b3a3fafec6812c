package dev.mailroom.jdbc;

import dev.mailroom.jdbc.LeaseRows.LeaseRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Takes whole leases back: given up by their workers, or from workers that have gone silent. */
final class Returning {
  private final Line line;
  private final Groups groups;

  Returning(Line line, Groups groups) {
    this.line = line;
    this.groups = groups;
  }

  /** Gives back everything that is held under these leases; says how much. */
  int release(Set<UUID> tokens) throws SQLException {
    int count = 0;
    List<LeaseRow> leases = new ArrayList<>(LeaseRows.lock(line, tokens).values());
    for (LeaseRow lease : leases) {
      List<HeldRow> rows = rows(lease);
      rows.forEach(row -> row.attempts--);
      giveBack(lease, rows);
      count += rows.size();
    }
    drop(leases);
    return count;
  }

  /** Takes expired leases from their workers, the earliest first; says how many. */
  int reclaim(int limit) throws SQLException {
    List<LeaseRow> leases = LeaseRows.lockExpired(line, limit);
    for (LeaseRow lease : leases) {
      List<HeldRow> rows = rows(lease);
      blame(rows);
      giveBack(lease, rows);
    }
    drop(leases);
    return leases.size();
  }

  /**
   * In a group only the first message is blamed for the crash: the others were not handled yet when
   * the worker stopped.
   */
  private void blame(List<HeldRow> rows) throws SQLException {
    Set<GroupKey> blamed = new HashSet<>();
    for (HeldRow row : rows) {
      row.attempts--;
      if (row.group == null || blamed.add(row.group)) {
        row.crashes++;
        row.visibleAt =
            Micros.after(
                line.session().now(), line.policy().crashes().backoff().delay(row.crashes));
      }
    }
  }

  /** What the lease still holds, in order. */
  private List<HeldRow> rows(LeaseRow lease) throws SQLException {
    List<HeldRow> rows = new ArrayList<>(HeldRow.lock(line, lease.ids()).values());
    rows.removeIf(row -> !row.token.equals(lease.token()));
    rows.sort((one, other) -> Long.compare(one.sequence, other.sequence));
    return rows;
  }

  private void giveBack(LeaseRow lease, List<HeldRow> rows) throws SQLException {
    HeldRow.store(line, rows);
    Map<GroupKey, Integer> counts = new HashMap<>();
    for (HeldRow row : rows) {
      if (row.group != null) {
        counts.merge(row.group, 1, Integer::sum);
      }
    }
    groups.release(line, lease.token(), counts);
  }

  private void drop(Collection<LeaseRow> leases) throws SQLException {
    LeaseRows.drop(line, leases.stream().map(LeaseRow::token).toList());
  }
}
