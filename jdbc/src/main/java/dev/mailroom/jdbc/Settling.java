package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Burial.Dying;
import dev.mailroom.jdbc.LeaseRows.LeaseRow;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Records what became of leased messages, whatever that is. */
final class Settling {
  private static final String KEEP =
      """
      INSERT INTO {history} (channel, {columns}, completed_at, kept_until)
      SELECT channel, %s, ?, ? FROM {message} WHERE {message_by_ids}"""
          .formatted(Columns.except("attempts", Columns.ATTEMPTS_OF_LEASED));

  private final Line line;
  private final Groups groups;
  private final List<UUID> completed = new ArrayList<>();
  private final List<UUID> removed = new ArrayList<>();
  private final List<HeldRow> returned = new ArrayList<>();
  private final List<Dying> dying = new ArrayList<>();
  private final Map<UUID, Integer> perLease = new HashMap<>();
  private final Map<UUID, Map<GroupKey, Integer>> perGroup = new TreeMap<>(Ids.ORDER);

  Settling(Line line, Groups groups) {
    this.line = line;
    this.groups = groups;
  }

  /** Applies what is still held and answers with the rest. */
  Set<UUID> settle(List<Settlement> settlements) throws SQLException {
    Set<UUID> tokens = new HashSet<>();
    Set<UUID> ids = new HashSet<>();
    for (Settlement settlement : settlements) {
      tokens.add(settlement.token());
      ids.add(settlement.id());
    }
    Map<UUID, LeaseRow> leases = LeaseRows.lock(line, tokens);
    Map<UUID, HeldRow> held = leases.isEmpty() ? Map.of() : HeldRow.lock(line, ids);
    Set<UUID> lost = new HashSet<>();
    for (Settlement settlement : settlements) {
      HeldRow row = held.get(settlement.id());
      if (row == null
          || !row.token.equals(settlement.token())
          || !leases.containsKey(settlement.token())) {
        lost.add(settlement.id());
      } else {
        held.remove(settlement.id());
        apply(row, settlement.outcome());
      }
    }
    write(leases);
    return lost;
  }

  private void apply(HeldRow row, Outcome outcome) throws SQLException {
    count(row);
    if (outcome instanceof Outcome.Completed) {
      completed.add(row.id);
    } else if (outcome instanceof Outcome.Retried retried) {
      retry(row, retried);
      returned.add(row);
    } else if (outcome instanceof Outcome.Released) {
      row.attempts--;
      returned.add(row);
    } else if (outcome instanceof Outcome.Dead dead) {
      dying.add(new Dying(row.id, dead.error(), row.group != null));
    } else {
      removed.add(row.id);
    }
  }

  private void count(HeldRow row) {
    perLease.merge(row.token, 1, Integer::sum);
    if (row.group != null) {
      perGroup
          .computeIfAbsent(row.token, token -> new HashMap<>())
          .merge(row.group, 1, Integer::sum);
    }
  }

  private void retry(HeldRow row, Outcome.Retried retried) throws SQLException {
    long now = line.session().now();
    row.error = retried.error();
    row.visibleAt = Micros.after(now, retried.delay());
    switch (retried.counts()) {
      case ATTEMPT -> row.parkedSince = null;
      case DEFERRAL -> {
        row.attempts--;
        row.deferrals++;
        row.parkedSince = null;
      }
      case PARKING -> {
        row.attempts--;
        row.parkedSince = row.parkedSince == null ? Long.valueOf(now) : row.parkedSince;
      }
    }
  }

  private void write(Map<UUID, LeaseRow> leases) throws SQLException {
    Duration kept = line.policy().history();
    if (kept == null) {
      removed.addAll(completed);
    } else {
      keep(kept);
    }
    Messages.delete(line, "{message}", removed);
    HeldRow.store(line, returned);
    Burial.buryLeased(line, dying);
    LeaseRows.shrink(line, leases, perLease);
    for (Map.Entry<UUID, Map<GroupKey, Integer>> each : perGroup.entrySet()) {
      groups.release(line, each.getKey(), each.getValue());
    }
  }

  private void keep(Duration kept) throws SQLException {
    Session session = line.session();
    long now = session.now();
    Messages.delete(line, "{history}", completed); // an earlier one with the same id makes room
    session.sum(
        Ids.sorted(completed),
        piece -> session.call(KEEP).with(now, Micros.after(now, kept), line.id(), piece).update());
    Messages.delete(line, "{message}", completed);
  }
}
