package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One lease: extending it, or finding that it has expired, touches only this row. */
final class LeaseRow {
  final UUID token;
  final String worker;
  final long number;

  /** What was leased, in sequence order; settled messages leave a hole. */
  final @Nullable MessageEntry[] entries;

  int held;
  @Nullable Timer<LeaseRow> expiry;

  LeaseRow(UUID token, String worker, long number, MessageEntry[] entries) {
    this.token = token;
    this.worker = worker;
    this.number = number;
    this.entries = entries;
    this.held = entries.length;
    for (int slot = 0; slot < entries.length; slot++) {
      entries[slot].lease = this;
      entries[slot].leaseSlot = slot;
    }
  }
}
