package dev.mailroom.memory;

import dev.mailroom.memory.Timeline.Alarm;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The completed messages that a channel keeps for a while. */
final class History {
  private final Map<UUID, Entry> byId = new HashMap<>();
  private final Timeline<Entry> expiries = new Timeline<>();
  private final FreedRows freed;
  private long numbers;

  History(FreedRows freed) {
    this.freed = freed;
  }

  /** Keeps a message; an earlier one that had the same id makes room. */
  void add(Entry entry, Instant until) {
    Entry former = byId.put(entry.id(), entry);
    if (former != null) {
      forget(former);
    }
    entry.alarm = expiries.add(until, ++numbers, entry);
  }

  @Nullable Entry find(UUID id) {
    return byId.get(id);
  }

  int size() {
    return byId.size();
  }

  Collection<Entry> entries() {
    return Collections.unmodifiableCollection(byId.values());
  }

  int purge(Instant now, int limit) {
    int removed = 0;
    for (; removed < limit; removed++) {
      Alarm<Entry> due = expiries.firstDue(now);
      if (due == null) {
        break;
      }
      byId.remove(due.item.id());
      forget(due.item);
    }
    return removed;
  }

  private void forget(Entry entry) {
    expiries.remove(Objects.requireNonNull(entry.alarm));
    entry.alarm = null;
    freed.add(1);
  }
}
