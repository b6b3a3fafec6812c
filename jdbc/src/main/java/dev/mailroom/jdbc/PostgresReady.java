package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.spi.LeaseRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Ready messages that belong to no ordered group, picked from a part of their line and locked, so
 * that nobody else picks, cancels or collapses them meanwhile. The statement travels alone, so that
 * the driver asks for numbers and payloads as they are and not as texts.
 */
final class PostgresReady {
  private static final String PICK =
      """
      SELECT {columns}, ctid FROM {message}
      WHERE channel = ? AND grouped = 0 AND token IS NULL AND position NOT IN
      """
          + PostgresLeases.LEASED
          + " %s LIMIT ? FOR NO KEY UPDATE SKIP LOCKED";
  private static final String ANYBODYS = PICK.formatted(PostgresLine.ANYBODY);
  private static final String OF_TENANT = PICK.formatted(PostgresLine.TENANT);

  private static final int PLACE = Columns.SIZE + 1;

  private final Line line;
  private final List<MessageRow> rows;
  private final Map<UUID, Place> places;
  private int expired;

  private PostgresReady(Line line, int most) {
    this.line = line;
    this.rows = new ArrayList<>(most);
    this.places = new HashMap<>(2 * most);
  }

  /** Picks what nobody has leased. */
  static PostgresReady pick(Line line, LeaseRequest request, Range range, int most)
      throws SQLException {
    String tenant = request.tenant();
    Call call =
        line.session()
            .call(tenant == null ? ANYBODYS : OF_TENANT)
            .with(line.id(), line.id(), range.after());
    PostgresReady picked = new PostgresReady(line, most);
    PostgresLine.within(range, tenant, call).with(most).each(picked::read);
    return picked;
  }

  private void read(ResultSet row) throws SQLException {
    MessageRow message = MessageRow.read(line.session().dialect, row, 1);
    rows.add(message);
    places.put(message.id(), Place.of(row.getString(PLACE), message));
  }

  int size() {
    return rows.size();
  }

  /** The position of the last one. */
  long last() {
    return rows.isEmpty() ? 0 : rows.get(rows.size() - 1).position();
  }

  /** Where they lie. */
  Map<UUID, Place> places() {
    return places;
  }

  /** Whether some have outlived their lifetime and are buried now. */
  boolean someExpired() {
    return expired > 0;
  }

  /** Whether that is so of all, and there are any. */
  boolean allExpired() {
    return expired > 0 && expired == rows.size();
  }

  /**
   * Takes them into a claim. One with a collapse key gets the token written, since whoever
   * collapses it looks at its row alone.
   */
  void into(Claiming claim) throws SQLException {
    List<MessageRow> plain = new ArrayList<>(rows.size());
    List<MessageRow> collapsible = new ArrayList<>(0);
    List<MessageRow> late = new ArrayList<>(0);
    for (MessageRow row : rows) {
      if (row.hasExpired(claim.now())) {
        late.add(row);
      } else if (row.envelope().routing().collapseKey() != null) {
        collapsible.add(row);
      } else {
        plain.add(row);
      }
    }
    claim.takeUnwritten(plain);
    if (!collapsible.isEmpty()) {
      claim.take(Messages.lease(line, claim.token, collapsible));
      collapsible.forEach(row -> places.remove(row.id()));
    }
    expired = late.size();
    if (expired > 0) {
      PostgresLeases.requireFree(line, late.stream().map(MessageRow::position).toList());
      claim.bury("{message}", late);
    }
  }
}
