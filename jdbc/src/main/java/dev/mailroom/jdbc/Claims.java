package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import java.sql.SQLException;
import java.util.UUID;

/** Claims with the statements that all databases understand. */
class Claims {
  private static final int LEAST_MOVES = 1_000;

  final Groups groups;
  final DueRows due;

  Claims(Groups groups) {
    this.groups = groups;
    this.due = new DueRows(groups);
  }

  /** One claim, in one transaction. */
  Claim lease(Transactions transactions, int id, Channel channel, LeaseRequest request) {
    return transactions.run(
        "lease", session -> run(new Line(session, id, channel), request, UUID.randomUUID()));
  }

  /** How many due messages a claim moves at most. */
  static int moves(LeaseRequest request) {
    return Math.max(LEAST_MOVES, 2 * request.limit());
  }

  /** Fills the claim with ready messages that belong to no ordered group. */
  void takeReady(Claiming claim) throws SQLException {
    ReadyLine.take(claim, Range.ALL);
  }

  /** Suspects alone, otherwise groups whose turn it is, then ungrouped messages. */
  Claim run(Line line, LeaseRequest request, UUID token) throws SQLException {
    Claiming claim = new Claiming(line, request, token);
    claim.joined(due.move(line, moves(request)));
    Suspects.take(claim, due);
    if (request.poisonMessages()) {
      OrderedClaim.takeSuspect(claim, groups);
    }
    OrderedClaim.take(claim, groups);
    takeReady(claim);
    if (request.poisonMessages() && claim.isEmpty()) {
      OrderedClaim.takeSuspect(claim, groups); // a head that turned out to be one just now
    }
    Lease lease = claim.open();
    return claim.answer(lease, due.next(line));
  }
}
