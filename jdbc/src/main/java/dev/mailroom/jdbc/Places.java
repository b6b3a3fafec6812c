package dev.mailroom.jdbc;

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

  private final Map<UUID, Map<UUID, Place>> byLease = new LinkedHashMap<>();
  private int count;

  /**
   * Where a row lies, and the position by which it is known to be the one that was leased: the
   * place could be that of another row meanwhile, even of the same message.
   */
  record Place(long tid, long position, @Nullable Run run) {
    /** The place of a message without a group. */
    static Place of(String tid, MessageRow row) {
      return new Place(Tid.parse(tid), row.position(), null);
    }
  }

  /** Remembers where messages of a lease lie; by their ids, in a map that is now its own. */
  synchronized void remember(UUID token, Map<UUID, Place> places) {
    if (places.isEmpty()) {
      return;
    }
    count += places.size();
    Map<UUID, Place> more = byLease.putIfAbsent(token, places);
    if (more != null) {
      more.putAll(places);
    }
    Iterator<Map<UUID, Place>> oldest = byLease.values().iterator();
    while (count > MOST && oldest.hasNext()) {
      count -= oldest.next().size();
      oldest.remove();
    }
  }

  /** A message that is still leased lies elsewhere now. */
  synchronized void moved(UUID token, UUID id, String tid) {
    Map<UUID, Place> places = byLease.get(token);
    if (places != null) {
      places.computeIfPresent(
          id, (key, place) -> new Place(Tid.parse(tid), place.position(), place.run()));
    }
  }

  /** Where the message lies, or null if that is not known. Whoever asks will remove it. */
  synchronized @Nullable Place take(UUID token, UUID id) {
    Map<UUID, Place> places = byLease.get(token);
    if (places == null) {
      return null;
    }
    Place place = places.remove(id);
    if (place != null) {
      count--;
    }
    if (places.isEmpty()) {
      byLease.remove(token);
    }
    return place;
  }
}
