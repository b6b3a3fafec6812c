package dev.mailroom.memory;

import dev.mailroom.messages.LastError;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.TreeMap;

/** The dead letters of one channel, oldest death first. */
final class Graveyard {
  private final TreeMap<Long, Entry> byDeath = new TreeMap<>();
  private long deaths;

  void add(Entry entry, LastError error, Instant now) {
    Death death = new Death(++deaths, error, now);
    entry.death = death;
    byDeath.put(death.number(), entry);
  }

  void remove(Entry entry) {
    byDeath.remove(Objects.requireNonNull(entry.death).number());
  }

  /** Those that died after the one with that number; a live view. */
  Collection<Entry> after(long number) {
    return byDeath.tailMap(number, false).values();
  }
}
