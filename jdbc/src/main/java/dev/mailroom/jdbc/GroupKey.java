package dev.mailroom.jdbc;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Routing;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.util.Comparator;
import java.util.List;

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

  /** Refuses messages without a group where the channel requires one. */
  static void require(Channel channel, List<NewMessage> messages) {
    if (channel.ordering() != Ordering.REQUIRED) {
      return;
    }
    for (NewMessage message : messages) {
      if (message.envelope().routing().groupKey() == null) {
        throw new InvalidMessageException(
            "Message "
                + message.id()
                + " has no group key, and channel '"
                + channel.name()
                + "' requires one. Nothing was stored.");
      }
    }
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
