package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Watermark.Range;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Leases ready messages that belong to no ordered group. */
final class ReadyLine {
  private static final int MANY = 1_000;
  private static final String PICK =
      """
      SELECT {columns} FROM {message} %s WHERE channel = ? AND grouped = 0 AND {unwritten}
        AND position > ? AND position <= ?
      ORDER BY position LIMIT ? {skip}""";
  private static final String PICK_TENANT =
      """
      SELECT {columns} FROM {message} %s
      WHERE channel = ? AND grouped = 0 AND {unwritten} AND tenant = ? AND tenant <> ''
        AND %s LIMIT ? {skip}""";

  private final Claiming claim;
  private final Range range;
  private long reach;

  private ReadyLine(Claiming claim, Range range) {
    this.claim = claim;
    this.range = range;
    this.reach = range.after();
  }

  /**
   * Fills the claim from a part of the line. Whatever has outlived its lifetime dies on the way.
   * Answers up to where nothing was left behind that could be seen.
   */
  static long take(Claiming claim, Range range) throws SQLException {
    ReadyLine ready = new ReadyLine(claim, range);
    ready.run();
    return ready.reach;
  }

  private void run() throws SQLException {
    int most = claim.room();
    while (claim.room() > 0) {
      List<MessageRow> picked = pick(Math.min(most, claim.graves()));
      List<MessageRow> alive = new ArrayList<>(picked.size());
      List<MessageRow> dying = new ArrayList<>(0);
      boolean all = true;
      for (MessageRow row : picked) {
        if (claim.causeOfDeath(row) != null) {
          dying.add(row);
        } else if (alive.size() < claim.room()) {
          alive.add(row);
        } else {
          all = false;
        }
        reach = all ? row.position() : reach;
      }
      claim.take(Messages.lease(claim.line, claim.token, alive));
      if (dying.isEmpty()) {
        return;
      }
      claim.bury("{message}", dying);
      most = MANY; // where one has expired, many may have
    }
  }

  private List<MessageRow> pick(int most) throws SQLException {
    Session session = claim.line.session();
    Dialect dialect = session.dialect;
    String tenant = claim.request.tenant();
    Call call =
        tenant == null
            ? session.call(PICK.formatted(dialect.along("{message_line}"))).with(claim.line.id())
            : session
                .call(
                    PICK_TENANT.formatted(dialect.along("{message_lane}"), dialect.scanOfTenant()))
                .with(claim.line.id(), tenant);
    return call.with(range.after(), range.until(), most)
        .list(row -> MessageRow.read(dialect, row, 1));
  }
}
