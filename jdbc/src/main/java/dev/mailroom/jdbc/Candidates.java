package dev.mailroom.jdbc;

import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.messages.Routing;
import dev.mailroom.options.Ordering;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table that an index finds for a filter, if they are few: those with a collapse key,
 * of a group, or of a tenant. Keys are scoped by tenant, so an index serves a key whose tenant is
 * named, or for which there is only one possibility, because the channel has no tenants.
 */
final class Candidates {
  /** What a filter looks at, without payloads. */
  private static final String COLUMNS =
      """
      id, tenant, group_key, deduplication_key, collapse_key, contract, correlation_id,
      created_at, received_at, visible_at, error_type, error_message""";

  private static final String HAS_TENANTS =
      """
      SELECT * FROM (SELECT 1 AS one FROM {message}
        WHERE channel = ? AND grouped = 0 AND tenant > '' AND tenant <> '' LIMIT 1) unordered
      UNION ALL
      SELECT * FROM (SELECT 1 AS one FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant > '' LIMIT 1) ordered""";

  private final Line line;
  private final MessageFilter filter;

  Candidates(Line line, MessageFilter filter) {
    this.line = line;
    this.filter = filter;
  }

  /** Conditions that together find every row that can match, or none if there are too many. */
  List<Condition> of(MessageTable table) throws SQLException {
    List<Condition> conditions = conditions(table);
    for (Condition condition : conditions) {
      if (isMany(table, condition)) {
        return List.of();
      }
    }
    return conditions;
  }

  /**
   * The rows under one of the conditions, in parentheses. The limit cuts nothing off; it keeps a
   * planner from walking down the primary key in their stead.
   */
  static String select(MessageTable table, Condition few) {
    String token = table == MessageTable.MESSAGE ? ", {token} AS token" : "";
    return "(SELECT %s%s FROM %s%s LIMIT %d)"
        .formatted(COLUMNS, token, table.template, few.text(), Search.WINDOW);
  }

  private List<Condition> conditions(MessageTable table) throws SQLException {
    Routing sought = filter.routing();
    boolean isHot = table == MessageTable.MESSAGE;
    if (!isHot && table != MessageTable.DELAYED) {
      return List.of();
    }
    boolean isGroup = sought.groupKey() != null && line.channel().ordering() != Ordering.NONE;
    boolean isKey = sought.collapseKey() != null || (isHot && isGroup);
    String tenant = isHot && isKey ? tenant() : sought.tenant();
    if (tenant == null) {
      return List.of();
    }
    Condition inTenant = inChannel();
    if (sought.collapseKey() != null) {
      return List.of(
          inTenant
              .and("tenant = ?", tenant)
              .and("collapse_key <> ''")
              .and("collapse_key = ?", sought.collapseKey()));
    }
    if (isHot && isGroup) {
      return List.of(
          inTenant
              .and("grouped = 1")
              .and("tenant = ?", tenant)
              .and("{lane} = ?", sought.groupKey()));
    }
    return isHot ? ofTenant(tenant) : List.of();
  }

  private List<Condition> ofTenant(String tenant) {
    return Stream.of("grouped = 0", "grouped = 1")
        .map(each -> inChannel().and(each).and("tenant <> ''").and("tenant = ?", tenant))
        .toList();
  }

  private @Nullable String tenant() throws SQLException {
    String named = filter.routing().tenant();
    boolean isSole =
        named == null
            && line.session().call(HAS_TENANTS).with(line.id(), line.id()).list(row -> 1).isEmpty();
    return isSole ? "" : named;
  }

  private boolean isMany(MessageTable table, Condition condition) throws SQLException {
    List<Integer> beyond =
        line.session()
            .call("SELECT 1 FROM " + table.template + condition.text() + " LIMIT 1 OFFSET ?")
            .with(condition.values())
            .with(Search.WINDOW - 1)
            .list(row -> 1);
    return !beyond.isEmpty();
  }

  private Condition inChannel() {
    return new Condition().and("channel = ?", line.id());
  }
}
