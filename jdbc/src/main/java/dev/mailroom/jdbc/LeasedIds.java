package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages that leases speak of, which is quicker than to search all that could be leased. */
final class LeasedIds {
  private static final int MOST_LEASES = 1_000;
  private static final String SIZE =
      """
      SELECT COUNT(*), COALESCE(SUM(size), 0) FROM (
        SELECT LENGTH(message_ids) AS size FROM {lease} WHERE channel = ? LIMIT ?) leases""";
  private static final String READ =
      "SELECT message_ids FROM {lease} WHERE channel = ? ORDER BY ends_at LIMIT ?";

  private LeasedIds() {}

  private record Size(int leases, long bytes) {}

  /** Every message that is leased, and some that no longer are; null if there are too many. */
  static @Nullable List<UUID> of(Line line, int most) throws SQLException {
    Size size =
        line.session()
            .call(SIZE)
            .with(line.id(), MOST_LEASES)
            .list(row -> new Size(row.getInt(1), row.getLong(2)))
            .get(0);
    if (size.leases() == MOST_LEASES || size.bytes() > Ids.BYTES * (long) most) {
      return null;
    }
    List<UUID> ids = new ArrayList<>();
    line.session()
        .call(READ)
        .with(line.id(), MOST_LEASES)
        .list(row -> Ids.unpack(row.getBytes(1)))
        .forEach(ids::addAll);
    return ids;
  }
}
