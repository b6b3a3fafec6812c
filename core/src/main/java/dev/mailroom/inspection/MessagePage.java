package dev.mailroom.inspection;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one step of a search has found, the highest id first.
 *
 * <p>A page can hold fewer messages than the limit, or none, although there are more: a step reads
 * a bounded number of messages. Only {@link #next} says whether the search has ended.
 *
 * @param messages the messages found
 * @param nextCursor where to continue, or null if the search has ended
 */
public record MessagePage(List<InspectedMessage> messages, @Nullable String nextCursor) {
  /** Copies the messages. */
  public MessagePage {
    messages = List.copyOf(messages);
  }

  /** The cursor of the next page; empty if the search has ended. */
  public Optional<String> next() {
    return Optional.ofNullable(nextCursor);
  }
}
