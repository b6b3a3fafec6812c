package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Leases, alone, one ungrouped message that has crashed a worker before. */
final class Suspects {
  private static final int MANY = 100;
  private static final String PICK =
      """
      SELECT {columns} FROM {delayed} WHERE channel = ? AND crashes > 0 AND visible_at <= ?
      ORDER BY visible_at, sequence LIMIT ? {skip}""";
  private static final String PICK_TENANT =
      """
      SELECT {columns} FROM {delayed}
      WHERE channel = ? AND crashes > 0 AND visible_at <= ? AND tenant = ?
      ORDER BY visible_at, sequence LIMIT ? {skip}""";
  private static final String LEASE =
      "INSERT INTO {message} (channel, {columns}, token) SELECT channel, "
          + Columns.except("position", "?", "attempts", "attempts + 1")
          + ", ? FROM {delayed} WHERE channel = ? AND id = ?";

  private Suspects() {}

  /**
   * Buries those whose time is up, and takes the first of the others if the claim wants one. Those
   * of a group, which wait here if they were given another time, go back to it: only its turn
   * decides about them.
   */
  static void take(Claiming claim, DueRows due) throws SQLException {
    boolean more = true;
    while (more && claim.room() > 0) {
      List<MessageRow> all = pick(claim);
      List<MessageRow> picked = all.stream().filter(row -> !row.grouped()).toList();
      boolean grouped = picked.size() < all.size();
      if (grouped) {
        claim.joined(due.moveSuspects(claim.line, MANY));
        claim.comeAgain();
      }
      List<MessageRow> dying = new ArrayList<>();
      MessageRow chosen = null;
      for (MessageRow row : picked) {
        if (claim.causeOfDeath(row) != null) {
          dying.add(row);
        } else if (chosen == null && claim.request.poisonMessages()) {
          chosen = row;
        }
      }
      claim.bury("{delayed}", dying);
      if (chosen != null) {
        lease(claim, chosen);
      }
      more = all.size() == MANY && (grouped || chosen != null || !dying.isEmpty());
    }
  }

  private static List<MessageRow> pick(Claiming claim) throws SQLException {
    Session session = claim.line.session();
    int most = Math.min(MANY, claim.graves());
    String tenant = claim.request.tenant();
    Call call =
        tenant == null
            ? session.call(PICK).with(claim.line.id(), session.now(), most)
            : session.call(PICK_TENANT).with(claim.line.id(), session.now(), tenant, most);
    return call.list(row -> MessageRow.read(session.dialect, row, 1));
  }

  private static void lease(Claiming claim, MessageRow row) throws SQLException {
    Session session = claim.line.session();
    boolean leased =
        session.dialect.insertAbsent(
            session, LEASE, session.number(), claim.token, claim.line.id(), row.id());
    Messages.delete(claim.line, "{delayed}", List.of(row.id()));
    if (leased) { // otherwise it was appended twice at the same moment, and is there already
      claim.takeAlone(row.leased());
    }
  }
}
