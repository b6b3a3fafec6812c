package dev.mailroom;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one step of a search has found, the highest id first.
 *
 * <p>A page can hold fewer messages than asked for, or none, although there are more: a step looks
 * at a bounded number of messages. Only {@code next} says whether the search has ended.
 *
 * @param messages those found
 * @param next where to go on, or null if everything was looked at
 */
public record MessagePage(List<FoundMessage> messages, @Nullable String next) {
  /** Copies the messages. */
  public MessagePage {
    messages = List.copyOf(messages);
  }
}
