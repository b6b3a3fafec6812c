package dev.mailroom.spi;

import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A channel with all that a facade can do with it: write, cancel, commit a state together with
 * messages, lease by itself. An inbox is the part of it that an application sees. Thread-safe.
 */
public interface MessageChannel {

  /** The channel's identity and policy, as its store sees it. */
  Channel channel();

  /** The store that keeps its messages. */
  Store store();

  /** Its name. */
  default String name() {
    return channel().name();
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
  Receipt write(Object payload, WriteOptions options);

  /**
   * Writes a message without waiting for it.
   *
   * @return completes after the message is stored, or with what {@link #write} throws
   */
  CompletionStage<Receipt> writeAsync(Object payload, WriteOptions options);

  /**
   * Writes many messages, all or none.
   *
   * @param messages payloads, or {@link Outgoing}s for payloads with options of their own
   * @param transaction the caller's transaction to join; null for the current one, if there is any
   * @return a receipt per message, in input order
   */
  List<Receipt> writeAll(List<?> messages, @Nullable Transaction transaction);

  /**
   * Removes a message.
   *
   * @return false if it is leased and the target does not include leased messages, or it is dead or
   *     gone
   */
  boolean cancel(Target target);

  /**
   * Moves a message to another time.
   *
   * @return false if it is leased and the target does not include leased messages, or it is dead or
   *     gone
   */
  boolean reschedule(Target target, Due due);

  /** Its dead letters. */
  DeadLetters deadLetters();

  /**
   * Queries over it.
   *
   * @throws UnsupportedOperationException if its store is not {@link Inspectable}
   */
  Inspection inspect();

  /**
   * Encodes a payload as {@link #write} would. Written later, the encoded {@link Payload} is stored
   * as it is.
   *
   * @param options only the payload's type is read
   * @throws InvalidMessageException if it cannot be stored as it is
   * @throws UnknownContractException if its type has no contract
   */
  Payload encode(Object payload, WriteOptions options);

  /** Encodes a payload without options. */
  default Payload encode(Object payload) {
    return encode(payload, WriteOptions.defaults());
  }

  /** The largest payload it takes, in bytes. */
  int maximumPayload();

  /** A new id, as messages get that are written without one. */
  UUID newMessageId();

  /** The state under that key in the channel's store, or null if there is none. */
  @Nullable StoredState state(StateKey key);

  /**
   * Changes a state, and with it writes messages and removes others: all of it or nothing, in a
   * transaction of the store's own.
   *
   * @param change the state's new version
   * @param messages what to write; may be empty
   * @param cancels which messages to remove; one that is leased, dead or gone stays as it is
   * @return a receipt per message, in input order
   * @throws VersionConflictException if the state is not at the expected version; nothing happened
   * @throws TransientStoreException if the store failed; whether it happened may be unknown: read
   *     the state again
   */
  List<Receipt> commit(StateChange change, List<Outgoing> messages, List<UUID> cancels);

  /**
   * Messages for this channel as part of a {@link Commit}, checked and encoded but not stored.
   *
   * @throws InvalidMessageException if one cannot be stored as it is, or names a transaction
   * @throws UnknownContractException if a payload's type has no contract
   */
  Commit.Appends prepare(List<Outgoing> messages);

  /** The removal of a message of this channel as part of a {@link Commit}. */
  default Commit.Cancel removal(Target target) {
    return new Commit.Cancel(channel(), target);
  }

  /** Whether both are kept in one store, so that one {@link Commit} can change both. */
  default boolean sharesStoreWith(MessageChannel other) {
    return store() == other.store();
  }
}
