package dev.mailroom.jdbc;

import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Removes older messages that an append replaces. Those that another transaction has in hand are
 * passed over, since an append waits for nobody: most of the time that one leases or replaces them,
 * and where it only moves them, they are handled besides the newer one.
 */
final class Collapse {
  private static final String FREE =
      """
      SELECT id, grouped, group_key FROM {message}
      WHERE channel = ? AND tenant = ? AND collapse_key = ? AND collapse_key <> ''
        AND {unwritten} ORDER BY id {skip}""";
  private static final String DELAYED =
      """
      SELECT id, 0, '' FROM {delayed}
      WHERE channel = ? AND tenant = ? AND collapse_key = ? AND collapse_key <> ''
      ORDER BY id {skip}""";

  private final Line line;
  private final AppendPlan plan;
  private final Set<GroupKey> freed = new TreeSet<>();

  Collapse(Line line, AppendPlan plan) {
    this.line = line;
    this.plan = plan;
  }

  private record Older(UUID id, boolean grouped, String groupKey) {}

  /** The groups that have lost a message. */
  Set<GroupKey> run() throws SQLException {
    Set<GroupKey> keys = new TreeSet<>();
    for (NewMessage message : plan.stored()) {
      GroupKey key = AppendPlan.collapseKeyOf(message);
      if (key != null) {
        keys.add(key);
      }
    }
    for (GroupKey key : keys) {
      remove(key, FREE, "{message}");
      remove(key, DELAYED, "{delayed}");
    }
    return freed;
  }

  private void remove(GroupKey key, String find, String table) throws SQLException {
    Session session = line.session();
    List<Older> older =
        session
            .call(find)
            .with(line.id(), key.tenant(), key.key())
            .list(
                row ->
                    new Older(session.dialect.getId(row, 1), row.getInt(2) != 0, row.getString(3)));
    List<UUID> gone = new ArrayList<>();
    for (Older each : older) {
      if (!plan.found().contains(each.id())) {
        gone.add(each.id());
        if (each.grouped()) {
          freed.add(new GroupKey(key.tenant(), each.groupKey()));
        }
      }
    }
    Messages.delete(line, table, gone);
  }
}
