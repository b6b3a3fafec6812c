package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The completed messages that a channel keeps until their retention ends. */
final class History {
  private final Map<UUID, MessageEntry> byId = new HashMap<>();
  private final TimerHeap<MessageEntry> expiries = new TimerHeap<>();
  private final ReleasedRows releasedRows;
  private long numbers;

  History(ReleasedRows releasedRows) {
    this.releasedRows = releasedRows;
  }

  /** Adds a message; replaces an earlier one with the same id. */
  void add(MessageEntry entry, Instant until) {
    MessageEntry former = byId.put(entry.id(), entry);
    if (former != null) {
      forget(former);
    }
    entry.timer = expiries.add(until, ++numbers, entry);
  }

  @Nullable MessageEntry find(UUID id) {
    return byId.get(id);
  }

  int size() {
    return byId.size();
  }

  Collection<MessageEntry> entries() {
    return Collections.unmodifiableCollection(byId.values());
  }

  int purge(Instant now, int limit) {
    int removed = 0;
    for (; removed < limit; removed++) {
      Timer<MessageEntry> due = expiries.firstDue(now);
      if (due == null) {
        break;
      }
      byId.remove(due.item.id());
      forget(due.item);
    }
    return removed;
  }

  private void forget(MessageEntry entry) {
    expiries.remove(Objects.requireNonNull(entry.timer));
    entry.timer = null;
    releasedRows.add(1);
  }
}
