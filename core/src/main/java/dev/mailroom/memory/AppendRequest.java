package dev.mailroom.memory;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.NewMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages to append to a channel: validated and fingerprinted before a lock is taken. */
final class AppendRequest {
  final Channel channel;
  final List<NewMessage> messages;
  private final byte @Nullable [] @Nullable [] fingerprints;

  AppendRequest(Channel channel, List<NewMessage> messages) {
    this.channel = channel;
    this.messages = messages;
    byte[][] found = null;
    for (int i = 0; i < messages.size(); i++) {
      NewMessage message = messages.get(i);
      requireGroup(channel, message);
      if (message.envelope().routing().deduplicationKey() != null) {
        found = found == null ? new byte[messages.size()][] : found;
        found[i] = ContentFingerprint.of(message.envelope().payload());
      }
    }
    this.fingerprints = found;
  }

  /** The appends of a commit, each within the limit. */
  static List<AppendRequest> of(List<Commit.Appends> appends) {
    List<AppendRequest> requests = new ArrayList<>(appends.size());
    for (Commit.Appends part : appends) {
      if (!part.messages().isEmpty()) {
        Limits.requireCount(
            "number of messages to append", part.messages().size(), Limits.APPEND_BATCH);
        requests.add(new AppendRequest(part.channel(), part.messages()));
      }
    }
    return requests;
  }

  /** The fingerprint of a message that has a deduplication key. */
  byte[] fingerprint(int index) {
    return Objects.requireNonNull(Objects.requireNonNull(fingerprints)[index]);
  }

  /** The group the message belongs to in this channel, or null. */
  @Nullable String groupKey(NewMessage message) {
    return channel.ordering() == Ordering.NONE ? null : message.envelope().routing().groupKey();
  }

  private static void requireGroup(Channel channel, NewMessage message) {
    if (channel.ordering() == Ordering.REQUIRED
        && message.envelope().routing().groupKey() == null) {
      throw new InvalidMessageException(
          "Message "
              + message.id()
              + " has no group key, and channel '"
              + channel.name()
              + "' requires one. Nothing was stored.");
    }
  }
}
