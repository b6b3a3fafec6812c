package dev.mailroom.jdbc;

import dev.mailroom.jdbc.PostgresBatch.Needs;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Inserts many messages that are due at once, have no key, and are fresh: nothing is looked up, so
 * there is nothing that the planner could read whole tables for, and no setting to keep it from
 * that. What all of them have in common is sent once.
 */
final class PostgresFresh {
  private static final String INSERT =
      """
      WITH time AS MATERIALIZED (SELECT COALESCE(?::bigint, {now}) AS now),
      added AS (
        INSERT INTO {message} (channel, {columns})
        SELECT ?::int, {values} FROM (
          SELECT {next} AS number, t.now, t.now AS visible_at, r.*{constants}
          FROM time t CROSS JOIN unnest({arrays}) AS r({names})) g
        {turns})
      SELECT now FROM time""";
  private static final String TURNS =
      """
      RETURNING channel, position, tenant, group_key),
      turns AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT min(position), channel, 0, tenant, group_key FROM added
        GROUP BY channel, tenant, group_key""";
  private static final Needs NOTHING = new Needs(false, false, false, false);
  private static final Set<String> CONTRACT =
      Set.of("contract", "contract_version", "content_type");
  private static final Set<String> EXTRAS =
      Set.of(
          "headers",
          "correlation_id",
          "causation_id",
          "trace_parent",
          "trace_state",
          "received_at",
          "lifetime");

  private static final Map<Shape, String> STATEMENTS = new ConcurrentHashMap<>();

  private final Line line;
  private final List<NewMessage> messages;
  private final Shape shape;

  PostgresFresh(Line line, List<NewMessage> messages) {
    this.line = line;
    this.messages = messages;
    this.shape = Shape.of(line.channel(), messages);
  }

  /** Whether these messages can be inserted so: all of them belong to ordered groups, or none. */
  static boolean fits(Channel channel, List<NewMessage> messages) {
    boolean grouped = NewRows.isGrouped(channel, messages.get(0));
    return Needs.of(messages).nothing()
        && messages.stream()
            .allMatch(each -> each.fresh() && NewRows.isGrouped(channel, each) == grouped);
  }

  /** Stores all of them. Fails if one is there after all, and then stores none. */
  List<AppendResult> run() throws SQLException {
    PostgresArrays arrays = new PostgresArrays(line, messages, NOTHING);
    Call call =
        line.session()
            .call(STATEMENTS.computeIfAbsent(shape, Shape::statement))
            .with(line.session().suppliedTime(), line.id());
    NewMessage first = messages.get(0);
    Routing routing = first.envelope().routing();
    if (shape.oneTenant()) {
      call.with(GroupKey.text(routing.tenant()));
    }
    call.with(shape.grouped());
    if (shape.oneGroup()) {
      call.with(GroupKey.text(routing.groupKey()));
    }
    if (shape.oneContract()) {
      Payload payload = first.envelope().payload();
      call.with(payload.contract().name(), payload.contract().version(), payload.contentType());
    }
    call.with(arrays.values(shape.varying()));
    long accepted = call.list(row -> row.getLong(1)).get(0);
    Instant now = Micros.instant(accepted);
    List<AppendResult> results = new ArrayList<>(messages.size());
    messages.forEach(message -> results.add(new AppendResult(message.id(), true, now)));
    return results;
  }

  /**
   * What a batch has in common.
   *
   * @param oneTenant the same tenant
   * @param grouped all of them belong to ordered groups
   * @param oneGroup the same group, or none
   * @param oneContract the same contract and content type
   * @param bare neither headers nor a trace nor times of its own in any of them
   */
  private record Shape(
      boolean oneTenant, boolean grouped, boolean oneGroup, boolean oneContract, boolean bare) {
    static Shape of(Channel channel, List<NewMessage> messages) {
      NewMessage first = messages.get(0);
      Routing route = first.envelope().routing();
      boolean oneTenant = true;
      boolean oneGroup = true;
      boolean oneContract = true;
      boolean bare = true;
      for (NewMessage message : messages) {
        Routing routing = message.envelope().routing();
        oneTenant &= Objects.equals(routing.tenant(), route.tenant());
        oneGroup &= Objects.equals(routing.groupKey(), route.groupKey());
        oneContract &= isAlike(message.envelope().payload(), first.envelope().payload());
        bare &= NewRows.isBare(message);
      }
      boolean grouped = NewRows.isGrouped(channel, first);
      return new Shape(oneTenant, grouped, oneGroup, oneContract, bare);
    }

    private static boolean isAlike(Payload one, Payload other) {
      return one.contract().equals(other.contract())
          && one.contentType().equals(other.contentType());
    }

    private boolean isArray(String name) {
      return !(oneTenant && name.equals("tenant"))
          && !name.equals("grouped")
          && !(oneGroup && name.equals("group_key"))
          && !(oneContract && CONTRACT.contains(name))
          && !(bare && EXTRAS.contains(name));
    }

    Map<String, String> varying() {
      Map<String, String> types = PostgresArrays.types(NOTHING);
      types.keySet().removeIf(name -> !isArray(name));
      return types;
    }

    /** What is not in the arrays: parameters in the order of their names, or nothing. */
    private String constants() {
      StringBuilder constants = new StringBuilder();
      PostgresArrays.types(NOTHING)
          .forEach(
              (name, type) -> {
                if (!isArray(name)) {
                  String value = EXTRAS.contains(name) ? "NULL" : "?";
                  constants.append(", ").append(value).append("::").append(type);
                  constants.append(" AS ").append(name);
                }
              });
      return constants.toString();
    }

    String statement() {
      Map<String, String> varying = varying();
      return INSERT
          .replace("{now}", PostgresDialect.NOW)
          .replace("{next}", grouped ? GroupStarts.NEXT : "nextval('{number}')")
          .replace("{turns}", grouped ? TURNS : "")
          .replace("{values}", PostgresArrays.columns(NOTHING))
          .replace("{constants}", constants())
          .replace("{arrays}", PostgresArrays.marks(varying))
          .replace("{names}", String.join(", ", varying.keySet()));
    }
  }
}
