package dev.mailroom.jdbc;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.jdbc.Burial.Dying;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Message;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One claim in progress: what it has taken and buried so far. */
final class Claiming {
  final Line line;
  final LeaseRequest request;
  final UUID token;

  private final List<MessageRow> taken = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();
  private final List<Long> contested = new ArrayList<>();
  private final Set<GroupKey> groups = new HashSet<>();
  private final Set<GroupKey> joined = new HashSet<>();
  private final List<DeadLetter> died = new ArrayList<>(0);
  private boolean alone;
  private boolean awaited = true;
  private long again = Long.MAX_VALUE;

  Claiming(Line line, LeaseRequest request, UUID token) {
    this.line = line;
    this.request = request;
    this.token = token;
  }

  long now() throws SQLException {
    return line.session().now();
  }

  /** Messages have joined these groups in the transaction of this claim. */
  void joined(Set<GroupKey> more) {
    joined.addAll(more);
  }

  /**
   * Whether a message has joined the group in the transaction of this claim. Who holds the group
   * cannot see it yet, and so may give the group up without a further turn.
   */
  boolean hasJoined(GroupKey group) {
    return joined.contains(group);
  }

  /** Whether that is so of any group. */
  boolean hasJoined() {
    return !joined.isEmpty();
  }

  /** How many more messages it may lease. */
  int room() {
    return alone || died.size() >= Limits.BATCH ? 0 : request.limit() - taken.size();
  }

  /** How many more messages may die at it. */
  int graves() {
    return Limits.BATCH - died.size();
  }

  /** Whether it has removed messages, which come back if its transaction does not commit. */
  boolean hasBuried() {
    return !died.isEmpty();
  }

  boolean isEmpty() {
    return taken.isEmpty();
  }

  void take(List<MessageRow> rows) {
    rows.forEach(this::add);
  }

  private void add(MessageRow row) {
    taken.add(row);
    if (row.grouped()) {
      groups.add(GroupKey.of(row.envelope().routing()));
    }
  }

  /** Whether it has taken messages of the group, so that nobody else gets any. */
  boolean holds(GroupKey group) {
    return groups.contains(group);
  }

  /** Takes rows that nobody else can take, and that the lease names instead of being written. */
  void takeUnwritten(List<MessageRow> rows) {
    for (MessageRow row : rows) {
      add(row.leased());
      positions.add(row.position());
      if (!row.grouped()) {
        contested.add(row.position());
      }
    }
  }

  /** There may be more than it had time to look at. */
  void comeAgain() {
    comeAgain(0);
  }

  /** There may be more, which is to be looked at after so many microseconds. */
  void comeAgain(long micros) {
    again = Math.min(again, micros);
  }

  /**
   * It does nothing but lease what belongs to no group, and make that ready if it is due; unless
   * something dies at it.
   */
  void onlyLeases() {
    awaited = false;
  }

  /** Takes a message that nothing else may be leased with. */
  void takeAlone(MessageRow row) {
    add(row);
    alone = true;
  }

  /** Why the message must die instead of being leased, or null. */
  @Nullable LastError causeOfDeath(MessageRow row) throws SQLException {
    int limit = line.policy().crashes().limit();
    int crashes = row.progress().crashes();
    if (crashes >= limit) {
      return LastError.of(
          "crashed",
          "Its lease expired "
              + crashes
              + " times without an outcome; the limit is "
              + limit
              + ".");
    }
    if (row.hasExpired(now())) {
      return LastError.of(
          "expired",
          "Its lifetime ended at "
              + Micros.instant(row.times().expiresAt())
              + ", before it was handled.");
    }
    return null;
  }

  /** Whether a grouped message that dies now keeps its group from going on. */
  boolean parks() {
    return line.policy().keepDeadLetters()
        && line.policy().afterDeadLetter() == AfterDeadLetter.PARK;
  }

  /** Buries messages that have a cause of death, or removes them where none are kept. */
  void bury(String table, List<MessageRow> rows) throws SQLException {
    List<Dying> dying = new ArrayList<>(rows.size());
    for (MessageRow row : rows) {
      LastError cause = causeOfDeath(row);
      if (cause != null) {
        Message message = row.failed(cause).toMessage(line.name());
        died.add(new DeadLetter(message, cause, Micros.instant(now())));
        dying.add(new Dying(row.id(), cause, row.grouped()));
      }
    }
    if (line.policy().keepDeadLetters()) {
      Burial.bury(line, table, dying);
    } else {
      Messages.delete(line, table, dying.stream().map(Dying::id).toList());
    }
  }

  /** Opens the lease, if there is anything to lease. */
  @Nullable Lease open() throws SQLException {
    if (taken.isEmpty()) {
      return null;
    }
    List<UUID> ids = taken.stream().map(MessageRow::id).toList();
    long endsAt = Micros.after(now(), request.duration());
    line.session()
        .dialect
        .addLease(
            line,
            new NewLease(
                token,
                request.worker(),
                endsAt,
                ids,
                positions,
                contested,
                !groups.isEmpty(),
                awaited || hasBuried()));
    return lease();
  }

  /** What was taken, sorted by sequence. */
  private Lease lease() throws SQLException {
    taken.sort(Comparator.comparingLong(MessageRow::sequence));
    List<Message> messages = taken.stream().map(row -> row.toMessage(line.name())).toList();
    return new Lease(token, Micros.instant(now()), messages);
  }

  /** The answer, given when the next message is due. */
  Claim answer(@Nullable Lease lease, @Nullable Long nextDue) throws SQLException {
    if (graves() <= 0) {
      comeAgain();
    }
    long due = nextDue == null ? Long.MAX_VALUE : nextDue;
    long next = again == Long.MAX_VALUE ? due : Math.min(due, now() + again);
    Duration left = next == Long.MAX_VALUE ? null : Micros.between(now(), next);
    return new Claim(lease, List.copyOf(died), left);
  }
}
