package dev.mailroom.jdbc;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where in their table the messages lie that this store has leased, so that their outcomes find
 * them without an index. A hint, for speed alone: what has moved, or is not remembered, is found by
 * its key.
 */
final class Places {
  /** Beyond this many messages the oldest leases are forgotten. */
  private static final int MOST = 100_000;

  private final Map<UUID, Map<UUID, String>> byLease = new LinkedHashMap<>();
  private int count;

  /** Remembers where the messages of a lease lie; by their ids. */
  synchronized void remember(UUID token, Map<UUID, String> places) {
    forget(token);
    byLease.put(token, new HashMap<>(places));
    count += places.size();
    Iterator<Map<UUID, String>> oldest = byLease.values().iterator();
    while (count > MOST && oldest.hasNext()) {
      count -= oldest.next().size();
      oldest.remove();
    }
  }

  /** Where the message lies, or null if that is not known. Whoever asks will remove it. */
  synchronized @Nullable String take(UUID token, UUID id) {
    Map<UUID, String> places = byLease.get(token);
    if (places == null) {
      return null;
    }
    String place = places.remove(id);
    if (place != null) {
      count--;
    }
    if (places.isEmpty()) {
      byLease.remove(token);
    }
    return place;
  }

  /** The lease's messages may have moved, or are held no longer. */
  synchronized void forget(UUID token) {
    Map<UUID, String> places = byLease.remove(token);
    if (places != null) {
      count -= places.size();
    }
  }
}
