package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The deduplication records of one channel; each tenant queue has its own by key. */
final class Deduplication {
  private final TenantQueues tenantQueues;
  private final ReleasedRows releasedRows;
  private final TimerHeap<DeduplicationRecord> expiries = new TimerHeap<>();
  private long numbers;

  Deduplication(TenantQueues tenantQueues, ReleasedRows releasedRows) {
    this.tenantQueues = tenantQueues;
    this.releasedRows = releasedRows;
  }

  /** Reserves the key; an expired record of it is kept until the append is published. */
  void stage(DeduplicationRecord record) {
    record.replaced = record.tenantQueue.records.put(record.key, record);
    record.tenantQueue.members++;
  }

  void unstage(DeduplicationRecord record) {
    DeduplicationRecord former = record.replaced;
    if (former == null) {
      record.tenantQueue.records.remove(record.key, record);
    } else {
      record.tenantQueue.records.put(record.key, former);
    }
    tenantQueues.leave(record.tenantQueue);
  }

  void publish(DeduplicationRecord record) {
    record.owner = null;
    DeduplicationRecord former = record.replaced;
    if (former != null) {
      record.replaced = null;
      forget(former);
    }
    Instant end = record.expiresAt;
    if (end != null) {
      record.expiry = expiries.add(end, ++numbers, record);
    }
  }

  /** The visible record under that key, expired or not, or null. */
  static @Nullable DeduplicationRecord visible(TenantQueue tenantQueue, String key) {
    DeduplicationRecord record = tenantQueue.records.get(key);
    while (record != null && record.owner != null) {
      record = record.replaced;
    }
    return record;
  }

  /** The visible record of this message, or null. */
  static @Nullable DeduplicationRecord of(MessageEntry entry) {
    String key = entry.envelope.routing().deduplicationKey();
    DeduplicationRecord record = key == null ? null : visible(entry.tenantQueue, key);
    return record != null && record.messageId.equals(entry.id()) ? record : null;
  }

  /** The unfinished message of this record, or null; its id may have been reused. */
  static @Nullable MessageEntry messageOf(DeduplicationRecord record, MemoryChannel channel) {
    MessageEntry entry = channel.byId.get(record.messageId);
    return entry != null && of(entry) == record ? entry : null;
  }

  /** Releases the key. */
  void remove(DeduplicationRecord record) {
    DeduplicationRecord current = record.tenantQueue.records.get(record.key);
    if (current == record) {
      record.tenantQueue.records.remove(record.key);
    }
    for (; current != null; current = current.replaced) {
      if (current.replaced == record) {
        current.replaced = null;
      }
    }
    forget(record);
  }

  /** Removes a purged record that was kept for its unfinished message. */
  void finished(MessageEntry entry) {
    DeduplicationRecord record = of(entry);
    if (record != null && record.purged) {
      remove(record);
    }
  }

  /**
   * Ends the records whose window has passed. One whose message is unfinished stays in the tenant's
   * map, counted no more, because the message can still be cancelled or moved by its key.
   */
  int purge(MemoryChannel channel, Instant now, int limit) {
    int removed = 0;
    for (; removed < limit; removed++) {
      Timer<DeduplicationRecord> due = expiries.firstDue(now);
      if (due == null) {
        break;
      }
      DeduplicationRecord record = due.item;
      if (messageOf(record, channel) != null) {
        expiries.remove(due);
        record.expiry = null;
        record.purged = true;
        releasedRows.add(1);
      } else {
        remove(record);
      }
    }
    return removed;
  }

  private void forget(DeduplicationRecord record) {
    Timer<DeduplicationRecord> expiry = record.expiry;
    if (expiry != null) {
      expiries.remove(expiry);
      record.expiry = null;
    }
    if (!record.purged) {
      releasedRows.add(1);
    }
    tenantQueues.leave(record.tenantQueue);
  }
}
