package dev.mailroom;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.StateEntry;
import dev.mailroom.spi.Target;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A look into an inbox, for consoles and for people. Changes nothing, and every call is cheap
 * however many messages there are. Safe for use by many threads.
 */
public final class Inspection {
  private final Channel channel;
  private final Inspectable store;

  Inspection(Channel channel, Inspectable store) {
    this.channel = channel;
    this.store = store;
  }

  /** How many messages there are, by state, and how long the oldest has been due. */
  public ChannelCounts counts() {
    return store.counts(channel);
  }

  /** The message and its state, or null if the store does not hold it. */
  public @Nullable FoundMessage find(UUID messageId) {
    return store.find(channel, Target.id(messageId));
  }

  /**
   * The message that took this deduplication key last, or null if the store does not hold it or has
   * forgotten the key.
   *
   * @param tenant whose, or null if it has none
   */
  public @Nullable FoundMessage find(@Nullable String tenant, String deduplicationKey) {
    return store.find(channel, new Target.ByKey(tenant, deduplicationKey));
  }

  /**
   * What the store remembers of a deduplication key, also after the message is gone; null if the
   * key was never used, was freed by a cancellation, or has been forgotten after its window.
   *
   * <p>Ask for the key first and for the message second: a key without a message then means that
   * the message was there, and has been handled, discarded or collapsed since.
   *
   * @param tenant whose, or null if it has none
   */
  public @Nullable RememberedKey key(@Nullable String tenant, String deduplicationKey) {
    return store.key(channel, new Target.ByKey(tenant, deduplicationKey));
  }

  /**
   * Looks for messages, the highest id first, which is the newest first unless you gave ids of your
   * own. A step looks at a bounded number of messages, so a page may be short or empty: go on until
   * {@link MessagePage#next} is null. However the inbox changes meanwhile, no message comes twice,
   * and one that stays comes once.
   *
   * @param after the last page's {@link MessagePage#next}, or null to begin
   * @param limit the most to find, 1 to {@link dev.mailroom.spi.Limits#BATCH}
   * @throws IllegalArgumentException if {@code after} is not from such a page
   */
  public MessagePage search(MessageFilter filter, @Nullable String after, int limit) {
    return store.search(channel, filter, after, limit);
  }

  /**
   * States of one type in the inbox's store, by their keys.
   *
   * @param after the last key of the page before, or null to begin
   * @param limit the most to find, 1 to {@link dev.mailroom.spi.Limits#BATCH}; fewer means that
   *     there are no more
   */
  public List<StateEntry> states(String type, @Nullable String after, int limit) {
    return store.states(type, after, limit);
  }
}
