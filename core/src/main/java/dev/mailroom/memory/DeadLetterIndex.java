package dev.mailroom.memory;

import dev.mailroom.messages.LastError;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.TreeMap;

/** The dead letters of one channel, oldest first. */
final class DeadLetterIndex {
  private final TreeMap<Long, MessageEntry> byNumber = new TreeMap<>();
  private long lastNumber;

  void add(MessageEntry entry, LastError error, Instant now) {
    DeadLetterRecord deadLetter = new DeadLetterRecord(++lastNumber, error, now);
    entry.deadLetter = deadLetter;
    byNumber.put(deadLetter.number(), entry);
  }

  void remove(MessageEntry entry) {
    byNumber.remove(Objects.requireNonNull(entry.deadLetter).number());
  }

  /** The dead letters after that number; a live view. */
  Collection<MessageEntry> after(long number) {
    return byNumber.tailMap(number, false).values();
  }
}
