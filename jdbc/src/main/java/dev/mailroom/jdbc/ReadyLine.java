package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Leases ready messages that belong to no ordered group. */
final class ReadyLine {
  private static final int MANY = 1_000;
  private static final String PICK =
      """
      SELECT {columns} FROM {message} WHERE channel = ? AND grouped = 0 AND token IS NULL
      ORDER BY position LIMIT ? {skip}""";
  private static final String PICK_TENANT =
      """
      SELECT {columns} FROM {message}
      WHERE channel = ? AND grouped = 0 AND token IS NULL AND tenant = ? AND tenant <> ''
      ORDER BY position LIMIT ? {skip}""";

  private ReadyLine() {}

  /** Fills the claim. Whatever has outlived its lifetime dies on the way. */
  static void take(Claiming claim) throws SQLException {
    int most = claim.room();
    while (claim.room() > 0) {
      List<MessageRow> picked = pick(claim, Math.min(most, claim.graves()));
      List<MessageRow> alive = new ArrayList<>();
      List<MessageRow> dying = new ArrayList<>();
      for (MessageRow row : picked) {
        if (claim.causeOfDeath(row) != null) {
          dying.add(row);
        } else if (alive.size() < claim.room()) {
          alive.add(row);
        }
      }
      claim.take(Messages.lease(claim.line, claim.token, alive));
      if (dying.isEmpty()) {
        return;
      }
      claim.bury("{message}", dying);
      most = MANY; // where one has expired, many may have
    }
  }

  private static List<MessageRow> pick(Claiming claim, int most) throws SQLException {
    Session session = claim.line.session();
    String tenant = claim.request.tenant();
    Call call =
        tenant == null
            ? session.call(PICK).with(claim.line.id(), most)
            : session.call(PICK_TENANT).with(claim.line.id(), tenant, most);
    return call.list(row -> MessageRow.read(session.dialect, row, 1));
  }
}
