package dev.mailroom.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Up to where in each channel's line this store has leased messages as it stored them. No claim
 * comes across those, so it would begin ahead of their remains for ever.
 */
final class Reach {
  private final Map<Integer, Long> byChannel = new ConcurrentHashMap<>();

  /** Messages up to that position were leased, and are committed. */
  void extend(int channel, long position) {
    byChannel.merge(channel, position, Math::max);
  }

  /** Up to where; 0 if nowhere. */
  long of(int channel) {
    return byChannel.getOrDefault(channel, 0L);
  }
}
