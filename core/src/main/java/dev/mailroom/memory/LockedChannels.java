package dev.mailroom.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Several channels, locked in the order of their names so that two callers never deadlock.
 * Afterwards the row counts of each channel are updated, the locks released, and listeners woken.
 */
final class LockedChannels {
  private final List<MemoryChannel> channels;
  private final WakeUpListeners listeners;

  LockedChannels(Collection<MemoryChannel> channels, WakeUpListeners listeners) {
    List<MemoryChannel> sorted = new ArrayList<>(channels);
    sorted.sort(Comparator.comparing(channel -> channel.name));
    this.channels = sorted;
    this.listeners = listeners;
  }

  void run(Runnable action) {
    run(
        () -> {
          action.run();
          return channels;
        });
  }

  <T> T run(Supplier<T> action) {
    List<MemoryChannel> workAvailable = new ArrayList<>(channels.size());
    channels.forEach(channel -> channel.lock.lock());
    try {
      return action.get();
    } finally {
      for (MemoryChannel channel : channels) {
        if (channel.finish()) {
          workAvailable.add(channel);
        }
        channel.lock.unlock();
      }
      workAvailable.forEach(channel -> listeners.wake(channel.name));
    }
  }
}
