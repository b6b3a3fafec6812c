package dev.mailroom;

import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A named inbox: messages written to it are handled at least once, by one worker at a time, in
 * order per group when asked.
 *
 * <p>Writing works before the engine starts and in processes that never start it. Thread-safe.
 */
public final class Inbox {
  private final MessageChannel channel;

  Inbox(MessageChannel channel) {
    this.channel = channel;
  }

  /** Its name. */
  public String name() {
    return channel.name();
  }

  /** How its messages are ordered. */
  public Ordering ordering() {
    return channel.channel().ordering();
  }

  /** Writes a message; returns after it is stored. */
  public Receipt write(Object payload) {
    return channel.write(payload, WriteOptions.defaults());
  }

  /**
   * Writes a message with options: {@code inbox.write(order, options -> options.groupKey(id))}.
   * Returns and throws as {@link #write(Object, WriteOptions)}.
   */
  public Receipt write(Object payload, Consumer<WriteOptions.Builder> options) {
    return channel.write(payload, WriteOptions.of(options));
  }

  /**
   * Writes a message; returns after it is stored, or, in a transaction, after it is part of it.
   *
   * @throws InvalidMessageException if it cannot be stored as it is; nothing was stored
   * @throws UnknownContractException if the payload's type has no contract; nothing was stored
   * @throws ConflictingDuplicateException if the write is strict and repeats a key with other
   *     content
   * @throws TransientStoreException if the store failed and retries did not help; whether it was
   *     stored may be unknown, and writing it again under the same message id is safe
   */
  public Receipt write(Object payload, WriteOptions options) {
    return channel.write(payload, options);
  }

  /** Writes a message without waiting for it. */
  public CompletionStage<Receipt> writeAsync(Object payload) {
    return channel.writeAsync(payload, WriteOptions.defaults());
  }

  /** Writes a message with options without waiting for it. */
  public CompletionStage<Receipt> writeAsync(
      Object payload, Consumer<WriteOptions.Builder> options) {
    return channel.writeAsync(payload, WriteOptions.of(options));
  }

  /**
   * Writes a message without waiting for it, so that one thread can write for many. Where writes
   * are coalesced ({@link InboxOptionsBuilder#coalescing}) the caller goes on while the message is
   * stored with others; elsewhere, in a transaction, and when too much waits to be written, it is
   * stored before this returns.
   *
   * @return completes after the message is stored, on a thread that must not be kept for long, or
   *     with what {@link #write(Object, WriteOptions)} throws if it could not be stored
   * @throws InvalidMessageException if it cannot be stored as it is; nothing was stored
   * @throws UnknownContractException if the payload's type has no contract; nothing was stored
   */
  public CompletionStage<Receipt> writeAsync(Object payload, WriteOptions options) {
    return channel.writeAsync(payload, options);
  }

  /**
   * Writes many messages, all or none.
   *
   * @param messages payloads, or {@link Outgoing}s for payloads with options of their own; at most
   *     {@link dev.mailroom.messages.Limits#APPEND_BATCH}
   * @return a receipt per message, in input order
   */
  public List<Receipt> writeAll(List<?> messages) {
    return channel.writeAll(messages, null);
  }

  /**
   * Writes many messages as part of a transaction, all or none.
   *
   * @param messages payloads, or {@link Outgoing}s for payloads with options of their own; at most
   *     {@link dev.mailroom.messages.Limits#APPEND_BATCH}
   * @return a receipt per message, in input order
   */
  public List<Receipt> writeAll(List<?> messages, Transaction transaction) {
    return channel.writeAll(messages, Objects.requireNonNull(transaction, "transaction"));
  }

  /**
   * Removes a message that is not leased.
   *
   * @return false if it is leased, dead or gone
   */
  public boolean cancel(UUID messageId) {
    return channel.cancel(Target.id(messageId));
  }

  /**
   * Removes a message by its id or its key, even while it is leased if the target says so.
   *
   * @return false if it is leased and the target does not include leased messages, or it is dead or
   *     gone
   */
  public boolean cancel(Target target) {
    return channel.cancel(target);
  }

  /**
   * Moves a message that is not leased to another time.
   *
   * @return false if it is leased, dead or gone
   */
  public boolean reschedule(UUID messageId, Instant visibleAfter) {
    return channel.reschedule(Target.id(messageId), Due.at(visibleAfter));
  }

  /**
   * Moves a message by its id or its key, even while it is leased if the target says so.
   *
   * @return false if it is leased and the target does not include leased messages, or it is dead or
   *     gone
   */
  public boolean reschedule(Target target, Due due) {
    return channel.reschedule(target, due);
  }

  /** Its dead letters. */
  public DeadLetters deadLetters() {
    return channel.deadLetters();
  }

  /**
   * Queries over it: counts, messages, deduplication keys.
   *
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return channel.inspect();
  }
}
