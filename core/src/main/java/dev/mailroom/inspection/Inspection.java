package dev.mailroom.inspection;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Queries over one channel, for consoles. Changes nothing, and the cost of every call is bounded
 * however many messages there are. Thread-safe.
 */
public interface Inspection {

  /** How many messages there are, by state, and how long the oldest has been due. */
  ChannelCounts counts();

  /** The message and its state; empty if the store does not hold it. */
  Optional<InspectedMessage> find(UUID messageId);

  /**
   * The message that took this deduplication key last; empty if the store does not hold it or has
   * forgotten the key.
   *
   * @param tenant the tenant, or null if the message has none
   */
  Optional<InspectedMessage> find(@Nullable String tenant, String deduplicationKey);

  /** The message without a tenant that took this deduplication key last. */
  default Optional<InspectedMessage> find(String deduplicationKey) {
    return find(null, deduplicationKey);
  }

  /**
   * What the store remembers of a deduplication key, also after the message is gone; empty if the
   * key was never used, was released by a cancellation, or has been forgotten after its window.
   *
   * <p>Ask for the key first and for the message second: a key without a message then means that
   * the message was there, and has been handled, discarded or collapsed since.
   *
   * @param tenant the tenant, or null if the message has none
   */
  Optional<DeduplicationEntry> key(@Nullable String tenant, String deduplicationKey);

  /**
   * Starts a search, the highest id first, which is the newest first unless you gave ids of your
   * own. A step reads a bounded number of messages, so a page may be short or empty: continue until
   * {@link MessagePage#next} is empty. However the channel changes meanwhile, no message comes
   * twice, and one that stays comes once.
   *
   * @param limit the most to find, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   */
  MessagePage search(MessageFilter filter, int limit);

  /**
   * Continues a search.
   *
   * @param cursor {@link MessagePage#next} of the page before
   * @param limit the most to find, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   * @throws IllegalArgumentException if the cursor is not from such a page
   */
  MessagePage search(MessageFilter filter, String cursor, int limit);

  /** Reads all that match, page by page, as the stream is consumed. */
  Stream<InspectedMessage> stream(MessageFilter filter);

  /**
   * States of one type in the channel's store, by their keys.
   *
   * @param limit the most to find, 1 to {@link dev.mailroom.messages.Limits#BATCH}; fewer means
   *     that there are no more
   */
  List<StateEntry> states(String type, int limit);

  /**
   * States of one type in the channel's store, after a key.
   *
   * @param after the last key of the page before
   * @param limit the most to find, 1 to {@link dev.mailroom.messages.Limits#BATCH}; fewer means
   *     that there are no more
   */
  List<StateEntry> states(String type, String after, int limit);
}
