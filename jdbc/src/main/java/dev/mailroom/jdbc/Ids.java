package dev.mailroom.jdbc;

import dev.mailroom.spi.MessageCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Ids in bulk: in the order of the primary key, and packed as a lease row holds them. */
final class Ids {
  /** The order in which every statement touches rows, so that no two wait for each other. */
  static final Comparator<UUID> ORDER = MessageCursor.ORDER;

  /** How many bytes an id has. */
  static final int BYTES = 16;

  private Ids() {}

  static List<UUID> sorted(Collection<UUID> ids) {
    List<UUID> sorted = new ArrayList<>(ids);
    sorted.sort(ORDER);
    return sorted;
  }

  static byte[] pack(Collection<UUID> ids) {
    ByteBuffer buffer = ByteBuffer.allocate(ids.size() * BYTES);
    ids.forEach(
        id -> buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
    return buffer.array();
  }

  static List<UUID> unpack(byte[] packed) {
    ByteBuffer buffer = ByteBuffer.wrap(packed);
    List<UUID> ids = new ArrayList<>(packed.length / BYTES);
    while (buffer.remaining() >= BYTES) {
      ids.add(new UUID(buffer.getLong(), buffer.getLong()));
    }
    return ids;
  }
}
