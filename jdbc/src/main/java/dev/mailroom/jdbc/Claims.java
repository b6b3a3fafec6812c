package dev.mailroom.jdbc;

import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import java.sql.SQLException;
import java.util.UUID;

/** Claims with the statements that all databases understand. */
final class Claims {
  private static final int LEAST_MOVES = 1_000;

  private final Groups groups;
  private final DueRows due;

  Claims(Groups groups) {
    this.groups = groups;
    this.due = new DueRows(groups);
  }

  /** One claim: suspects alone, otherwise groups whose turn it is, then ungrouped messages. */
  Claim run(Line line, LeaseRequest request, UUID token) throws SQLException {
    Claiming claim = new Claiming(line, request, token);
    due.move(line, Math.max(LEAST_MOVES, 2 * request.limit()));
    if (request.suspects()) {
      takeSuspect(claim);
    }
    OrderedClaim.take(claim, groups);
    ReadyLine.take(claim);
    if (request.suspects() && claim.isEmpty()) {
      OrderedClaim.takeSuspect(claim, groups); // a head that turned out to be one just now
    }
    Lease lease = claim.open();
    return claim.answer(lease, due.next(line));
  }

  private void takeSuspect(Claiming claim) throws SQLException {
    Suspects.take(claim);
    OrderedClaim.takeSuspect(claim, groups);
  }
}
