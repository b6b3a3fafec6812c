package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.NewMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages in one statement: takes their deduplication keys, removes what they collapse,
 * and inserts those that are new, due or not. Only the parts that some message needs are in it.
 *
 * <p>The statement sees what was committed when it began. If somebody stores one of the ids or
 * takes one of the keys after that, it has waited for them and cannot see what they wrote: then it
 * fails as a whole, with an error of class {@link #RACE}, and nothing is stored.
 */
final class PostgresBatch {
  /** The class of the errors that say that somebody else was faster: a constraint was violated. */
  static final String RACE = "23";

  private static final String LOOK =
      """
      WITH time AS MATERIALIZED (SELECT COALESCE(?::bigint, {now}) AS now),
      given AS MATERIALIZED (
        SELECT {next} AS number, r.* FROM unnest({arrays}) WITH ORDINALITY
          AS r({names}, place)),
      looked AS MATERIALIZED (
        SELECT g.*, t.now, {visible} AS visible_at, {expired} AS expired,
          {known_id} AS known_id, {known_at} AS known_at
        FROM given g CROSS JOIN time t {record} {row})""";
  private static final String ROW =
      """
      LEFT JOIN LATERAL (
        SELECT id, created_at FROM {message} WHERE channel = ? AND id = g.id
        UNION ALL SELECT id, created_at FROM {delayed} WHERE channel = ? AND id = g.id
        UNION ALL SELECT id, created_at FROM {dead} WHERE channel = ? AND id = g.id
        LIMIT 1) k ON true""";

  /**
   * Each record by its key, whatever the planner believes: without the limit it would rather read
   * all records of the channel at once while it takes them for few.
   */
  private static final String RECORD =
      """
      LEFT JOIN LATERAL (
        SELECT message_id, accepted_at, COALESCE(expires_at <= t.now, false) AS expired
        FROM {deduplication}
        WHERE channel = ? AND tenant = g.tenant AND deduplication_key = g.deduplication_key
          AND g.deduplication_key <> ''
        LIMIT 1) d ON true""";

  /**
   * A record is not looked at before its message is due: until then it stays in any case. One that
   * was written since the statement began makes it fail: as a duplicate where none was seen, and
   * where one was seen that has expired, which is taken over, because no column that is set may be
   * null. Few have expired, and an insert that minds conflicts takes twice as long, so the others
   * have one of their own.
   */
  private static final String TAKE =
      """
      , taken AS (
        INSERT INTO {deduplication} (channel, tenant, deduplication_key, message_id,
          fingerprint, accepted_at, expires_at, purge_at)
        {records} AND NOT expired
        ORDER BY tenant COLLATE "C", deduplication_key COLLATE "C"
        RETURNING 1),
      taken_over AS (
        INSERT INTO {deduplication} AS d (channel, tenant, deduplication_key, message_id,
          fingerprint, accepted_at, expires_at, purge_at)
        {records} AND expired
        ORDER BY tenant COLLATE "C", deduplication_key COLLATE "C"
        ON CONFLICT (channel, tenant, deduplication_key) DO UPDATE SET
          message_id = CASE WHEN d.expires_at <= EXCLUDED.accepted_at THEN EXCLUDED.message_id END,
          fingerprint = EXCLUDED.fingerprint, accepted_at = EXCLUDED.accepted_at,
          expires_at = EXCLUDED.expires_at, purge_at = EXCLUDED.purge_at
        RETURNING 1)"""
          .replace(
              "{records}",
              """
              SELECT ?::int, tenant, deduplication_key, id, fingerprint, now, now + ?::bigint,
                  now + ?::bigint + GREATEST(visible_at - now - ?::bigint, 0)
                FROM looked WHERE known_id IS NULL AND deduplication_key <> ''""");

  private static final String STORE =
      """
      , stored AS MATERIALIZED (SELECT * FROM looked WHERE known_id IS NULL)""";

  /** The last of those that collapse each other is stored. Those found stored already stay. */
  private static final String COLLAPSE =
      """
      , stored AS MATERIALIZED (
        SELECT * FROM (
          SELECT l.*, max(number) OVER (PARTITION BY tenant, collapse_key) AS latest
          FROM looked l WHERE known_id IS NULL) n
        WHERE collapse_key = '' OR number = latest),
      older AS MATERIALIZED (
        SELECT m.place FROM stored s CROSS JOIN LATERAL (
          SELECT ctid AS place FROM {message}
          WHERE channel = ? AND tenant = s.tenant AND collapse_key = s.collapse_key
            AND collapse_key <> '' AND token IS NULL AND id <> ALL (?::uuid[])
          FOR UPDATE SKIP LOCKED) m),
      waiting AS MATERIALIZED (
        SELECT m.place FROM stored s CROSS JOIN LATERAL (
          SELECT ctid AS place FROM {delayed}
          WHERE channel = ? AND tenant = s.tenant AND collapse_key = s.collapse_key
            AND collapse_key <> '' AND id <> ALL (?::uuid[])
          FOR UPDATE SKIP LOCKED) m),
      gone AS (
        DELETE FROM {message} WHERE ctid = ANY (ARRAY(SELECT place FROM older))
        RETURNING channel, grouped, tenant, group_key),
      gone_waiting AS (
        DELETE FROM {delayed} WHERE ctid = ANY (ARRAY(SELECT place FROM waiting))),
      freed AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT nextval('{number}'), channel, 0, tenant, group_key FROM (
          SELECT DISTINCT channel, tenant, group_key FROM gone WHERE grouped = 1) g)""";

  private static final String ADD =
      """
      , added AS (
        INSERT INTO {message} (channel, {columns})
        SELECT ?::int, {values} FROM stored g WHERE visible_at <= now {order}
        ORDER BY g.id
        RETURNING channel, position, grouped, tenant, group_key),
      turns AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT min(position), channel, 0, tenant, group_key FROM added WHERE grouped = 1
        GROUP BY channel, tenant, group_key)""";
  private static final String DELAY =
      """
      , later AS (
        INSERT INTO {delayed} (channel, placed, {columns})
        SELECT ?::int, 0, {values} FROM stored g WHERE visible_at > now {order}
        ORDER BY g.id)""";
  private static final String ANSWER =
      """

      SELECT now, l.place, l.known_id, l.known_at
      FROM time LEFT JOIN (
        SELECT place, known_id, known_at FROM looked WHERE known_id IS NOT NULL) l ON true""";

  /** Keys are taken before messages are inserted, here as elsewhere. */
  private static final String KEYS_FIRST =
      "AND (SELECT count(*) FROM taken) + (SELECT count(*) FROM taken_over) >= 0";

  /**
   * One plan for batches of every size. The planner would rather plan each small batch anew, which
   * takes longer than to run it.
   */
  private static final String OWN =
      "SELECT " + PlannerSettings.set(PlannerSettings.OF_APPENDS) + ";\n";

  /** In the caller's transaction, which goes on after a failure, and with its own settings. */
  private static final String BEFORE = "SAVEPOINT mailroom_append;\n";

  private static final String AFTER = ";\nRELEASE SAVEPOINT mailroom_append";

  /** The longest window that a statement adds to a time without going over the end. */
  private static final long LONGEST = Micros.NEVER / 2;

  private static final Map<Needs, Statements> STATEMENTS = new ConcurrentHashMap<>();

  /** Those that lease what they store, for ordered channels and for others. */
  private static final Map<Needs, String> LEASING_GROUPS = new ConcurrentHashMap<>();

  private static final Map<Needs, String> LEASING = new ConcurrentHashMap<>();

  private final Line line;
  private final List<NewMessage> messages;
  private final Needs needs;

  PostgresBatch(Line line, List<NewMessage> messages) {
    this.line = line;
    this.messages = messages;
    this.needs = Needs.of(messages);
  }

  /** The statement as it is alone, and in somebody else's transaction. */
  private record Statements(String alone, String joining) {}

  /**
   * What there is beyond plain messages.
   *
   * @param keys a deduplication key
   * @param collapse a collapse key
   * @param delays a time that is not now
   * @param lookUp an id that was not made just now, so that it may be stored already
   */
  record Needs(boolean keys, boolean collapse, boolean delays, boolean lookUp) {
    static Needs of(List<NewMessage> messages) {
      boolean keys = false;
      boolean collapse = false;
      boolean delays = false;
      boolean lookUp = false;
      for (NewMessage message : messages) {
        keys |= message.envelope().routing().deduplicationKey() != null;
        collapse |= message.envelope().routing().collapseKey() != null;
        delays |= !message.schedule().due().equals(NewMessage.Schedule.NOW.due());
        lookUp |= !message.fresh();
      }
      return new Needs(keys, collapse, delays, lookUp);
    }

    boolean nothing() {
      return !keys && !collapse && !delays;
    }
  }

  /** What is stored already: the message of that place in the batch, or its key. */
  private record Answer(long now, int place, @Nullable UUID knownId, long knownAt) {
    static Answer read(ResultSet row) throws SQLException {
      UUID id = row.getObject(3, UUID.class);
      return new Answer(row.getLong(1), row.getInt(2), id, row.getLong(4));
    }
  }

  /** Stores what is new, or nothing if it fails. */
  List<AppendResult> run() throws SQLException {
    return results(bound(statements().alone(), null).listOf(2, Answer::read));
  }

  /** Stores what is new and leases it, or stores nothing if it fails. */
  LeasedAppend lease(LeaseRequest request, Places places, GroupStarts starts) throws SQLException {
    PostgresArrival arrival = new PostgresArrival(line, messages, request, starts);
    String statement =
        arrival.holdsGroups()
            ? LEASING_GROUPS.computeIfAbsent(needs, each -> leasing(each, true))
            : LEASING.computeIfAbsent(needs, each -> leasing(each, false));
    List<Answer> answers = new ArrayList<>();
    bound(statement, arrival).listOf(2, row -> arrival.read(row) || answers.add(Answer.read(row)));
    return new LeasedAppend(results(answers), arrival.lease(answers.get(0).now(), places));
  }

  /** Stores what is new; if somebody else was faster, leaves the transaction as it was. */
  @Nullable List<AppendResult> join() throws SQLException {
    try {
      return results(bound(statements().joining(), null).listOf(3, Answer::read));
    } catch (SQLException e) {
      if (!isRace(e)) {
        throw e;
      }
      Dialect.execute(
          line.session().connection,
          "ROLLBACK TO SAVEPOINT mailroom_append; RELEASE SAVEPOINT mailroom_append");
      return null;
    }
  }

  /** Whether somebody stored the same id or took the same key at the same moment. */
  static boolean isRace(SQLException error) {
    return error.getSQLState() != null && error.getSQLState().startsWith(RACE);
  }

  private List<AppendResult> results(List<Answer> answers) {
    Instant now = Micros.instant(answers.get(0).now());
    List<AppendResult> results = new ArrayList<>(messages.size());
    messages.forEach(message -> results.add(new AppendResult(message.id(), true, now)));
    for (Answer answer : answers) {
      UUID known = answer.knownId();
      if (known != null) {
        Instant since = Micros.instant(answer.knownAt());
        results.set(answer.place() - 1, new AppendResult(known, false, since));
      }
    }
    return results;
  }

  private Call bound(String sql, @Nullable PostgresArrival arrival) throws SQLException {
    PostgresArrays arrays = new PostgresArrays(line, messages, needs);
    int channel = line.id();
    Call call = line.session().call(sql);
    if (arrival != null && arrival.holdsGroups()) {
      call.with(channel);
    }
    call.with(line.session().suppliedTime()).with(arrays.values());
    if (needs.keys()) {
      call.with(channel);
    }
    if (needs.lookUp()) {
      call.with(channel, channel, channel);
    }
    if (needs.keys()) {
      Duration window = line.policy().deduplicationWindow();
      Long length = window == null ? null : Math.min(LONGEST, Micros.after(0, window));
      call.with(channel, length, length, length).with(channel, length, length, length);
    }
    if (needs.collapse()) {
      call.with(channel, arrays.ids(), channel, arrays.ids());
    }
    if (arrival == null) {
      call.with(channel);
    } else {
      arrival.bind(call);
    }
    if (needs.delays()) {
      call.with(channel);
    }
    return call;
  }

  private Statements statements() {
    return STATEMENTS.computeIfAbsent(needs, PostgresBatch::compose);
  }

  private static Statements compose(Needs needs) {
    String text = compose(needs, ADD, ANSWER);
    return new Statements(OWN + text, BEFORE + PlannerSettings.appendForCaller(text) + AFTER);
  }

  private static String leasing(Needs needs, boolean holdsGroups) {
    String text = compose(needs, PostgresArrival.store(holdsGroups), PostgresArrival.ANSWER);
    return (holdsGroups ? PostgresArrival.SET_HOLDING : PostgresArrival.SET) + text;
  }

  private static String compose(Needs needs, String add, String answer) {
    String parts =
        LOOK
            + (needs.keys() ? TAKE : "")
            + (needs.collapse() ? COLLAPSE : STORE)
            + add
            + (needs.delays() ? DELAY : "")
            + answer;
    return parts
        .replace("{now}", PostgresDialect.NOW)
        .replace("{next}", GroupStarts.NEXT)
        .replace("{arrays}", PostgresArrays.marks(PostgresArrays.types(needs)))
        .replace("{names}", PostgresArrays.names(needs))
        .replace("{visible}", needs.delays() ? PostgresArrays.VISIBLE_AT : "t.now")
        .replace("{expired}", needs.keys() ? "COALESCE(d.expired, false)" : "false")
        .replace("{known_id}", known(needs, live("d.message_id"), "k.id", "uuid"))
        .replace("{known_at}", known(needs, live("d.accepted_at"), "k.created_at", "bigint"))
        .replace("{record}", needs.keys() ? RECORD : "")
        .replace("{row}", needs.lookUp() ? ROW : "")
        .replace("{order}", needs.keys() ? KEYS_FIRST : "")
        .replace("{values}", PostgresArrays.columns(needs));
  }

  /** A column of the record of a key, unless that has expired. */
  private static String live(String column) {
    return "CASE WHEN NOT d.expired THEN " + column + " END";
  }

  /** What is stored already: told by the record of its key, by its row, or by neither. */
  private static String known(Needs needs, String byKey, String byRow, String type) {
    if (needs.keys()) {
      return needs.lookUp() ? "COALESCE(" + byKey + ", " + byRow + ")" : byKey;
    }
    return needs.lookUp() ? byRow : "NULL::" + type;
  }
}
