package dev.mailroom.jdbc;

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
 * The claim that nearly all are: unordered messages ahead of the watermark. It locks and leases
 * them and opens the lease in one statement. The update is the statement itself and not a part of
 * another, so that what it returns is not stored in between; and it travels alone, so that the
 * driver asks for numbers and payloads as they are and not as texts.
 */
final class QuickClaim {
  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid AS place, id, expires_at IS NULL OR expires_at > ? AS alive
        FROM {message}
        WHERE channel = ? AND grouped = 0 AND token IS NULL %s
        LIMIT ? FOR UPDATE SKIP LOCKED),
      opened AS (
        INSERT INTO {lease} (token, channel, worker, ends_at, held, message_ids)
        SELECT ?, ?, ?, ?, count(*), string_agg(uuid_send(id), '')
        FROM picked WHERE alive HAVING count(*) > 0)
      UPDATE {message} SET token = ?, attempts = attempts + 1
      WHERE ctid = ANY (ARRAY(SELECT place FROM picked WHERE alive))
      RETURNING {columns}, ctid, (SELECT count(*) FROM picked)""";
  private static final String[] CLAIMS = {
    CLAIM.replace("%s", PostgresLine.ANYBODY), CLAIM.replace("%s", PostgresLine.TENANT)
  };

  private QuickClaim() {}

  /**
   * What it leased.
   *
   * @param leased the messages; empty if there were none, or none that are still alive
   * @param places where they lie now
   * @param someExpired whether it came by some that have outlived their lifetime
   */
  record Taken(List<MessageRow> leased, Map<UUID, String> places, boolean someExpired) {
    /** The position of the last one. */
    long last() {
      return leased.stream().mapToLong(MessageRow::position).max().orElse(0);
    }
  }

  static Taken take(Line line, LeaseRequest request, UUID token, Range range) throws SQLException {
    Session session = line.session();
    int id = line.id();
    String tenant = request.tenant();
    Call call = session.call(CLAIMS[tenant == null ? 0 : 1]).with(session.now(), id);
    PostgresLine.within(range, tenant, call)
        .with(request.limit(), token, id, request.worker())
        .with(Micros.after(session.now(), request.duration()), token);
    Reading reading = new Reading(session, request.limit());
    call.each(reading::read);
    boolean someExpired = reading.picked > reading.leased.size();
    return new Taken(reading.leased, reading.places, someExpired);
  }

  /** What was read so far. */
  private static final class Reading {
    private static final int PLACE = Columns.SIZE + 1;

    private final Session session;
    private final List<MessageRow> leased;
    private final Map<UUID, String> places;
    private int picked;

    private Reading(Session session, int most) {
      this.session = session;
      this.leased = new ArrayList<>(most);
      this.places = new HashMap<>(2 * most);
    }

    private void read(ResultSet row) throws SQLException {
      MessageRow message = MessageRow.read(session.dialect, row, 1);
      leased.add(message);
      places.put(message.id(), row.getString(PLACE));
      picked = row.getInt(PLACE + 1);
    }
  }
}
