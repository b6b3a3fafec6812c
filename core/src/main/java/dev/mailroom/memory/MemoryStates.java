package dev.mailroom.memory;

import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.StateChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The states of facades such as processes. Reads take no lock; changes lock it last. */
final class MemoryStates {
  /** No key is blank, and none sorts before this one. */
  private static final String FIRST = "\u0001";

  private final ReentrantLock lock = new ReentrantLock();
  private final NavigableMap<StateKey, StoredState> byKey =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(StateKey::type).thenComparing(StateKey::key));

  @Nullable StoredState find(StateKey key) {
    return byKey.get(key);
  }

  /** States of one type by their keys, after one of them. */
  List<StateEntry> list(String type, @Nullable String after, int limit) {
    var rest =
        after == null
            ? byKey.tailMap(new StateKey(type, FIRST), true)
            : byKey.tailMap(new StateKey(type, after), false);
    List<StateEntry> found = new ArrayList<>();
    for (Map.Entry<StateKey, StoredState> entry : rest.entrySet()) {
      if (found.size() == limit || !entry.getKey().type().equals(type)) {
        break;
      }
      found.add(new StateEntry(entry.getKey(), entry.getValue()));
    }
    return found;
  }

  /** Runs the change under the lock. */
  <T> T locked(Supplier<T> change) {
    lock.lock();
    try {
      return change.get();
    } finally {
      lock.unlock();
    }
  }

  /** Throws unless the state is at the version that the change expects. */
  void requireVersion(StateChange change) {
    StoredState stored = byKey.get(change.key());
    long version = stored == null ? 0 : stored.version();
    if (version != change.expectedVersion()) {
      throw new VersionConflictException(
          change.key().type() + "/" + change.key().key(), change.expectedVersion(), version);
    }
  }

  /** How many rows the change adds: -1, 0 or 1. */
  int growth(StateChange change) {
    int before = byKey.containsKey(change.key()) ? 1 : 0;
    return (change.value() == null ? 0 : 1) - before;
  }

  void apply(StateChange change) {
    Payload value = change.value();
    if (value == null) {
      byKey.remove(change.key());
    } else {
      byKey.put(change.key(), new StoredState(change.expectedVersion() + 1, value));
    }
  }
}
