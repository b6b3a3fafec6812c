package dev.mailroom.spi;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer's role of a store. */
public interface MessageWriter {

  /**
   * Stores all messages or none, in one atomic step with deduplication and collapse, in the order
   * given.
   *
   * <p>A message is a duplicate if its deduplication key was stored within the channel's window, or
   * if its id is that of a message that is ready, scheduled, leased or dead; a duplicate changes
   * nothing, not even by its collapse key. A message with a collapse key removes older ones with
   * the same key that are not leased. Never waits for another open transaction, except on an equal
   * deduplication key or id.
   *
   * @param messages at least one, at most {@link Limits#APPEND_BATCH}
   * @param transaction the caller's transaction to join, or null for one of the store's own
   * @return one result per message, in input order
   * @throws ConflictingDuplicateException if a strict message repeats a key or id with another
   *     contract or other bytes; nothing is stored
   * @throws InvalidMessageException if ordering is required and a message has no group key
   * @throws UnsupportedOperationException if the store cannot join that transaction
   */
  List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction);
}
