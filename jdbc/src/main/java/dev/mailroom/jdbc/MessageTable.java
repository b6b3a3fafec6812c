package dev.mailroom.jdbc;

import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.inspection.TimeRange;
import dev.mailroom.messages.Routing;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables in which a message can stand, those first in which it is alive. */
@SuppressWarnings("ImmutableEnumChecker") // a copied set
enum MessageTable {
  MESSAGE("{message}", MessageState.READY, MessageState.SCHEDULED, MessageState.LEASED),
  DELAYED("{delayed}", MessageState.READY, MessageState.SCHEDULED),
  DEAD("{dead}", MessageState.DEAD),
  HISTORY("{history}", MessageState.COMPLETED);

  /** Its place in a statement. */
  final String template;

  private final Set<MessageState> states;

  MessageTable(String template, MessageState... states) {
    this.template = template;
    this.states = Set.of(states);
  }

  /** Whether something in one of these states can stand here; none means any. */
  boolean holdsAnyOf(Set<MessageState> sought) {
    return sought.isEmpty() || states.stream().anyMatch(sought::contains);
  }

  /** What is read beside a row's columns to tell its state. */
  String token() {
    return this == MESSAGE ? "{token}" : "NULL";
  }

  /** Whether its row does not carry the token of its lease, in which case an attempt is missing. */
  String isUnwritten() {
    return this == MESSAGE ? "CASE WHEN {unwritten} THEN 1 ELSE 0 END" : "0";
  }

  MessageState state(boolean leased, boolean due) {
    return switch (this) {
      case DEAD -> MessageState.DEAD;
      case HISTORY -> MessageState.COMPLETED;
      case MESSAGE, DELAYED -> {
        MessageState free = due ? MessageState.READY : MessageState.SCHEDULED;
        yield leased ? MessageState.LEASED : free;
      }
    };
  }

  /** Adds what the filter says to a condition on rows of this table. */
  Condition add(Condition condition, MessageFilter filter, Session session) throws SQLException {
    Routing routing = filter.routing();
    condition
        .and("contract = ?", filter.contract())
        .and("tenant = ?", routing.tenant())
        .and("group_key = ?", routing.groupKey())
        .and("deduplication_key = ?", routing.deduplicationKey())
        .and("collapse_key = ?", routing.collapseKey())
        .and("correlation_id = ?", filter.correlationId());
    addRange(condition, "created_at", filter.created());
    addRange(condition, "received_at", filter.received());
    addStates(condition, filter.states(), session);
    return condition.mentioning(filter.error());
  }

  private static void addRange(Condition condition, String column, TimeRange range) {
    condition
        .and(column + " >= ?", ceiling(range.from()))
        .and(column + " < ?", ceiling(range.before()));
  }

  private static @Nullable Long ceiling(@Nullable Instant time) {
    return time == null ? null : Micros.ceiling(time);
  }

  private void addStates(Condition condition, Set<MessageState> sought, Session session)
      throws SQLException {
    if (sought.isEmpty() || sought.containsAll(states)) {
      return;
    }
    boolean ready = sought.contains(MessageState.READY);
    boolean scheduled = sought.contains(MessageState.SCHEDULED);
    boolean leased = sought.contains(MessageState.LEASED);
    if (this == MESSAGE && !leased) {
      condition.and("{token} IS NULL");
    }
    if (ready && scheduled) {
      return;
    }
    if (!ready && !scheduled) {
      condition.and("{token} IS NOT NULL");
      return;
    }
    String due = ready ? "visible_at <= ?" : "visible_at > ?";
    condition.and(
        this == MESSAGE && leased ? "({token} IS NOT NULL OR " + due + ")" : due, session.now());
  }
}
