package dev.mailroom.jdbc;

import dev.mailroom.Routing;
import java.util.Comparator;

/**
 * A group of one channel.
 *
 * @param tenant whose, or empty
 * @param key the group's key
 */
record GroupKey(String tenant, String key) implements Comparable<GroupKey> {
  private static final Comparator<GroupKey> ORDER =
      Comparator.comparing(GroupKey::tenant).thenComparing(GroupKey::key);

  static GroupKey of(Routing routing) {
    return new GroupKey(text(routing.tenant()), text(routing.groupKey()));
  }

  /** A key for a column that holds no null. */
  static String text(@org.jspecify.annotations.Nullable String key) {
    return key == null ? "" : key;
  }

  /** The order in which groups are held, so that no two claims wait for each other. */
  @Override
  public int compareTo(GroupKey other) {
    return ORDER.compare(this, other);
  }
}
