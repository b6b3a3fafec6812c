package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.time.TimeSource;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Claims on MySQL and MariaDB ask first what there is to do, which mostly is nothing but to lease
 * what is ready. They begin where the last one ended: from the start they would come by every
 * message that is leased, and by the remains of those that are done, and lock each of them to see
 * that it is not to be had.
 */
final class MySqlClaims extends Claims {
  private static final String NOW = "COALESCE(?, " + MySqlDialect.NOW + ")";
  private static final String PROBE =
      """
      SELECT %1$s,
        (SELECT MIN(visible_at) FROM {delayed} WHERE channel = ? AND crashes = 0),
        (SELECT MIN(visible_at) FROM {delayed}
          WHERE channel = ? AND crashes > 0 AND visible_at > %1$s),
        (SELECT MIN(due_at) FROM {turn_later} WHERE channel = ?),
        EXISTS (SELECT 1 FROM {delayed}
          WHERE channel = ? AND crashes > 0 AND visible_at <= %1$s)
        OR EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 0)
        OR EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 1)"""
          .formatted(NOW);

  private final TimeSource clock;
  private final Watermarks watermarks;

  MySqlClaims(Groups groups) {
    this(groups, TimeSource.system());
  }

  /**
   * Makes it.
   *
   * @param clock tells how long a look takes, and when the next one is due
   */
  MySqlClaims(Groups groups, TimeSource clock) {
    super(groups);
    this.clock = clock;
    this.watermarks = new Watermarks(clock);
  }

  /** What else there is to do in a channel, and when the next message becomes due. */
  private record Probe(boolean isBusy, @Nullable Long nextDue) {}

  @Override
  Claim run(Line line, LeaseRequest request, UUID token) throws SQLException {
    Probe probe = probe(line);
    if (probe.isBusy()) {
      return super.run(line, request, token);
    }
    Claiming claim = new Claiming(line, request, token);
    takeReady(claim);
    return claim.answer(claim.open(), probe.nextDue());
  }

  private static Probe probe(Line line) throws SQLException {
    Session session = line.session();
    int id = line.id();
    Object time = session.suppliedTime();
    return session
        .call(PROBE)
        .with(time, id, id, time, id, id, time, id, id)
        .list(
            row -> {
              long now = row.getLong(1);
              session.now(now);
              Long next = null;
              for (int i = 2; i <= 4; i++) {
                Long due = MessageRow.number(row, i);
                next = next == null || (due != null && due < next) ? due : next;
              }
              return new Probe(row.getInt(5) != 0 || (next != null && next <= now), next);
            })
        .get(0);
  }

  /** Looks ahead of the watermark, and behind it if it is time or if there is nothing ahead. */
  @Override
  void takeReady(Claiming claim) throws SQLException {
    Watermark mark = watermarks.of(claim, false);
    if (claim.room() > 0 && mark.isLookDue(clock.nanos())) {
      lookBack(claim, mark);
    }
    if (claim.room() > 0) {
      mark.advance(ReadyLine.take(claim, mark.ahead()));
    }
    if (claim.room() > 0 && claim.isEmpty() && watermarks.mayLookBack(claim, mark)) {
      lookBack(claim, mark);
    }
  }

  private void lookBack(Claiming claim, Watermark mark) throws SQLException {
    Range range = mark.behind();
    long start = clock.nanos();
    ReadyLine.take(claim, range);
    long end = clock.nanos();
    if (claim.room() > 0 && !mark.lookedAt(range, end, end - start)) {
      claim.comeAgain(Watermarks.micros(mark.restLeft(end)));
    }
  }
}
