package dev.mailroom.jdbc;

import dev.mailroom.jdbc.GroupStarts.Known;
import dev.mailroom.jdbc.GroupStarts.Moment;
import dev.mailroom.jdbc.GroupStarts.Seen;
import dev.mailroom.jdbc.Places.Place;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The lease of messages that are stored by the same statement: the parts that the statement has for
 * it, and what comes of them. Nobody sees such a message unleased, so nobody has to be asked about
 * it; only an ordered group has to be held, and must be empty, as far as the statement sees.
 * Whoever writes to it at the same moment goes before or after.
 */
final class PostgresArrival {
  /** What goes before the statement; if groups are held, see {@link #SET_HOLDING}. */
  static final String SET = "SELECT " + PlannerSettings.OWN + ";\n";

  /**
   * Where groups may be held. Who is about to do so is waited for, but not for long: then the
   * messages go the way of any append.
   */
  static final String SET_HOLDING =
      "SELECT set_config('lock_timeout', '25ms', true), "
          + HeldGroups.ALONE
          + ", "
          + PlannerSettings.OWN
          + ";\n";

  /** The state of the errors that say that something was waited for too long. */
  static final String WAITED = "55P03";

  /** Of what has no messages nothing is held: whoever holds a group has leased some. */
  private static final String HOLD =
      """
      , held AS MATERIALIZED (
        SELECT g.tenant, g.group_key, g.count, (row_number() OVER () - 1) / {part} AS part FROM (
          SELECT tenant, group_key, count(*) AS count, min((?::bigint[])[place]) AS start
          FROM stored WHERE grouped = 1 AND visible_at <= now GROUP BY tenant, group_key) g
        WHERE g.count <= ?::int
          AND (SELECT 1 FROM {message} m WHERE m.channel = ? AND m.grouped = 1
            AND m.tenant = g.tenant AND m.group_key = g.group_key AND m.{behind_start}
            ORDER BY m.sequence LIMIT 1) IS NULL
          AND {parked_from} IS NULL),
      holds AS (
        INSERT INTO {hold} (token, part, tenants, group_keys, held)
        SELECT ?::uuid, part, array_agg(tenant), array_agg(group_key), array_agg(count)
        FROM held GROUP BY part)"""
          .replace("{part}", Integer.toString(PostgresHolds.PART))
          .replace("{behind_start}", GroupStarts.BEHIND_START)
          .replace("{parked_from}", PostgresGroups.PARKED_FROM);

  private static final String ADD =
      """
      , added AS (
        INSERT INTO {message} (channel, {columns})
        SELECT ?::int, {values} FROM stored g WHERE visible_at <= now {order}
        ORDER BY g.id
        RETURNING channel, id, position, grouped, tenant, group_key, ctid AS place)""";
  private static final String OURS_UNGROUPED =
      """
      , ours AS MATERIALIZED (SELECT * FROM added)""";
  private static final String OURS =
      """
      , ours AS MATERIALIZED (
        SELECT * FROM added
        WHERE grouped = 0 OR (tenant, group_key) IN (SELECT tenant, group_key FROM held)),
      turns AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT min(position), channel, 0, tenant, group_key FROM added
        WHERE grouped = 1 AND (tenant, group_key) NOT IN (SELECT tenant, group_key FROM held)
        GROUP BY channel, tenant, group_key)""";
  private static final String LEASE =
      """
      , lease AS (
        INSERT INTO {lease}
          (token, channel, worker, ends_at, held, message_ids, positions, last_position, number)
        SELECT ?::uuid, channel, ?::text, (SELECT now FROM time) + ?::bigint, count(*),
          string_agg(uuid_send(id), ''::bytea ORDER BY position),
          array_agg(position ORDER BY position), max(position),
          CASE WHEN max(grouped) = 1 THEN nextval('{number}') END
        FROM ours GROUP BY channel)""";

  /** The part that answers, in the place of the one that speaks of duplicates only. */
  static final String ANSWER =
      """

      SELECT now, l.place, l.known_id, l.known_at, NULL::bigint, NULL::tid, {moment}
      FROM time LEFT JOIN (
        SELECT place, known_id, known_at FROM looked WHERE known_id IS NOT NULL) l ON true
      UNION ALL SELECT NULL, NULL, id, NULL, position, place, NULL, NULL, NULL FROM ours"""
          .replace("{moment}", GroupStarts.MOMENT)
          .replace("{writes}", "true");

  private final Line line;
  private final LeaseRequest request;
  private final GroupStarts starts;
  private final Seen seen;
  private final UUID token = UUID.randomUUID();
  private final Map<UUID, NewMessage> messages = new HashMap<>();

  /** Of each message, in their order. */
  private final List<GroupKey> groups = new ArrayList<>();

  private final boolean holdsGroups;

  private final Map<UUID, Place> places = new HashMap<>();
  private final List<Leased> leased = new ArrayList<>();
  private @Nullable Moment moment;

  /** A message that was leased. */
  private record Leased(NewMessage message, long position) {}

  PostgresArrival(Line line, List<NewMessage> messages, LeaseRequest request, GroupStarts starts) {
    this.line = line;
    this.request = request;
    this.starts = starts;
    this.seen = starts.seen(line.id());
    for (NewMessage message : messages) {
      this.messages.put(message.id(), message);
      groups.add(GroupKey.of(message.envelope().routing()));
    }
    this.holdsGroups =
        messages.stream().anyMatch(message -> NewRows.isGrouped(line.channel(), message));
  }

  /** The part that stores and leases, in the place of the one that stores. */
  static String store(boolean holdsGroups) {
    return holdsGroups ? HOLD + ADD + OURS + LEASE : ADD + OURS_UNGROUPED + LEASE;
  }

  /** Whether groups have to be held. */
  boolean holdsGroups() {
    return holdsGroups;
  }

  /** Gives the values of {@link #store} to a call. */
  void bind(Call call) throws SQLException {
    int channel = line.id();
    if (holdsGroups()) {
      Known known = starts.known(line, groups);
      call.with(known.starts(), request.groupLimit(), channel, known.server())
          .with(channel, channel, token);
    }
    call.with(channel).with(token, request.worker(), Micros.after(0, request.duration()));
  }

  /** Reads a row that speaks of a message that was leased; says whether it does. */
  boolean read(ResultSet row) throws SQLException {
    Long position = MessageRow.number(row, 5);
    if (position == null) {
      moment = Moment.read(row, 7);
      return false;
    }
    UUID id = row.getObject(3, UUID.class);
    NewMessage message = messages.get(id);
    if (message == null) {
      throw new SQLException("The database has leased " + id + ", which was not given to it");
    }
    leased.add(new Leased(message, position));
    boolean grouped = NewRows.isGrouped(line.channel(), message);
    Run run = grouped ? Run.unknown(GroupKey.of(message.envelope().routing())) : null;
    places.put(id, new Place(Tid.parse(row.getString(6)), position, run));
    return true;
  }

  /** What was leased, or null. Remembers where it lies. */
  @Nullable Lease lease(long now, Places known) {
    if (leased.isEmpty()) {
      return null;
    }
    known.remember(token, places);
    leased.sort(Comparator.comparingLong(Leased::position));
    if (holdsGroups()) {
      rememberStarts();
    }
    List<Message> taken = leased.stream().map(each -> message(each, now)).toList();
    return new Lease(token, Micros.instant(now), taken);
  }

  /** The groups had nothing else. */
  private void rememberStarts() {
    Moment now = Objects.requireNonNull(moment, "moment");
    starts.visible(line.id(), now, seen);
    Map<GroupKey, Long> first = new HashMap<>();
    for (Place place : places.values()) {
      if (place.run() != null) {
        first.merge(place.run().group, place.position(), Math::min);
      }
    }
    long last = leased.get(leased.size() - 1).position();
    starts.found(line.id(), now, first, seen.visibleAt(now), last);
  }

  private Message message(Leased each, long now) {
    NewMessage message = each.message();
    Long receivedAt = NewRows.receivedAt(message.schedule());
    Long lifetime = NewRows.lifetime(message.schedule());
    MessageRow.Times times =
        new MessageRow.Times(
            now,
            receivedAt == null ? now : receivedAt,
            now,
            lifetime == null ? null : Long.valueOf(now + lifetime));
    return new MessageRow(
            message.envelope(),
            each.position(),
            NewRows.isGrouped(line.channel(), message),
            times,
            new Progress(each.position(), 1, 0, 0, null, null),
            Map.of())
        .toMessage(line.name());
  }
}
