package dev.mailroom.spi;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that can be looked into. Each call costs the same however many messages there are, except
 * where a store is small by nature.
 */
public interface Inspectable {

  /** How many messages a channel holds, by state. */
  ChannelCounts counts(Channel channel);

  /**
   * The message and its state, or null if the store does not hold it. By key: the message that took
   * the key last, as long as the store remembers that.
   */
  @Nullable InspectedMessage find(Channel channel, Target target);

  /**
   * What the store remembers of a deduplication key, or null if the key was never used, was
   * released by a cancellation, or has been forgotten after its window. A message that is gone may
   * have left its key behind.
   */
  @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key);

  /**
   * Looks for messages in the order of {@link MessageCursor#ORDER}, the highest id first. However
   * the channel changes between two pages, no message comes twice, and one that stays comes once.
   *
   * @param after the last page's cursor, or null for the first page
   * @param limit the most to find, 1 to {@link Limits#BATCH}
   * @throws IllegalArgumentException if the cursor is not from such a page
   */
  MessagePage search(Channel channel, MessageFilter filter, @Nullable String after, int limit);

  /**
   * States of one type in an order of their keys that does not change: however others change
   * between two pages, none comes twice, and one that stays comes once.
   *
   * @param after the last key of the page before, or null for the first page
   * @param limit the most to find, 1 to {@link Limits#BATCH}; fewer means that there are no more
   */
  List<StateEntry> states(String type, @Nullable String after, int limit);
}
