package dev.mailroom;

import dev.mailroom.internal.engine.Waker;
import dev.mailroom.internal.write.Appender;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.CurrentTransaction;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.StateChange;
import dev.mailroom.spi.StateKey;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.StoredState;
import dev.mailroom.spi.Target;
import dev.mailroom.spi.Telemetry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A named inbox: messages written to it are handled at least once, by one worker at a time, in
 * order per group when asked.
 *
 * <p>Writing works before the engine starts and in processes that never start it. Safe for use by
 * many threads.
 */
public final class Inbox {
  private final Channel channel;
  private final Store store;
  private final MessageFactory factory;
  private final Appender appender;
  private final Waker waker;
  private final CurrentTransaction currentTransaction;
  private final Telemetry telemetry;
  private final Telemetry.Tags tags;

  Inbox(
      Channel channel,
      Store store,
      MessageFactory factory,
      Appender appender,
      Waker waker,
      CurrentTransaction currentTransaction,
      Telemetry telemetry) {
    this.channel = channel;
    this.store = store;
    this.factory = factory;
    this.appender = appender;
    this.waker = waker;
    this.currentTransaction = currentTransaction;
    this.telemetry = telemetry;
    this.tags = new Telemetry.Tags(channel.name(), null, null);
  }

  /** Its name. */
  public String name() {
    return channel.name();
  }

  /** Writes a message; returns after it is stored. */
  public Receipt write(Object payload) {
    return write(payload, WriteOptions.NONE);
  }

  /**
   * Writes a message; returns after it is stored, or, in a transaction, after it is part of it.
   *
   * @throws InvalidMessageException if it cannot be stored as it is; nothing was stored
   * @throws UnknownContractException if the payload's type has no contract; nothing was stored
   * @throws ConflictingDuplicateException if the write is strict and repeats a key with other
   *     content
   * @throws TransientStoreException if the store failed and repeating did not help; whether it was
   *     stored may be unknown, and writing it again under the same message id is safe
   */
  public Receipt write(Object payload, WriteOptions options) {
    return append(List.of(new Outgoing(payload, options)), options.transaction).get(0);
  }

  /**
   * Writes a message without waiting for it, so that one thread can write for many. Where writes
   * are gathered ({@link InboxOptionsBuilder#coalescing}) the caller goes on while the message is
   * stored with others; elsewhere, in a transaction, and when too much waits to be written, it is
   * stored before this returns.
   *
   * @return completes after the message is stored, on a thread that must not be kept for long, or
   *     with what {@link #write(Object, WriteOptions)} throws if it could not be stored
   * @throws InvalidMessageException if it cannot be stored as it is; nothing was stored
   * @throws UnknownContractException if the payload's type has no contract; nothing was stored
   */
  public CompletionStage<Receipt> writeAsync(Object payload, WriteOptions options) {
    Transaction named = options.transaction;
    Transaction transaction = named == null ? currentTransaction.current() : named;
    NewMessage message;
    // The scope belongs to this thread, so it covers only what is done here.
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, tags, Trace.NONE)) {
      message = factory.create(channel, payload, options, scope);
    }
    CompletionStage<AppendResult> end =
        transaction == null ? appender.submit(message) : join(message, transaction);
    return end.thenApply(result -> receipts(List.of(message), List.of(result)).get(0));
  }

  private CompletionStage<AppendResult> join(NewMessage message, Transaction transaction) {
    try {
      return CompletableFuture.completedStage(
          appender.append(List.of(message), transaction).get(0));
    } catch (RuntimeException error) {
      return CompletableFuture.failedStage(error);
    }
  }

  /**
   * Writes many messages, all or none.
   *
   * @param messages payloads, or {@link Outgoing}s for payloads with options of their own; at most
   *     {@link dev.mailroom.spi.Limits#APPEND_BATCH}
   * @return a receipt per message, in input order
   */
  public List<Receipt> writeAll(List<?> messages) {
    return writeAll(messages, null);
  }

  /**
   * Writes many messages, all or none.
   *
   * @param messages payloads, or {@link Outgoing}s for payloads with options of their own; at most
   *     {@link dev.mailroom.spi.Limits#APPEND_BATCH}
   * @param transaction the caller's transaction to join; null for the current one, if there is any
   * @return a receipt per message, in input order
   */
  public List<Receipt> writeAll(List<?> messages, @Nullable Transaction transaction) {
    for (Object message : messages) {
      if (message instanceof Outgoing own && own.options().transaction != null) {
        throw new InvalidMessageException(
            "An Outgoing names a transaction of its own: all messages of a batch go into one, so"
                + " pass it to writeAll(messages, transaction). Nothing was stored.");
      }
    }
    return append(messages, transaction);
  }

  /**
   * Removes a message that nobody has leased.
   *
   * @return false if it is leased, dead or gone
   */
  public boolean cancel(UUID messageId) {
    return cancel(Target.id(messageId));
  }

  /**
   * Moves a message that nobody has leased to another time.
   *
   * @return false if it is leased, dead or gone
   */
  public boolean reschedule(UUID messageId, Instant visibleAfter) {
    return reschedule(Target.id(messageId), Due.at(visibleAfter));
  }

  /**
   * Removes a message by its id or its key, and by force if the target says so.
   *
   * @return false if it is leased and not meant even so, or dead or gone
   */
  public boolean cancel(Target target) {
    boolean done = store.cancel(channel, target);
    if (done && target.isForced()) {
      waker.wake(channel.name()); // its group may go on
    }
    return done;
  }

  /**
   * Moves a message by its id or its key, and by force if the target says so.
   *
   * @return false if it is leased and not meant even so, or dead or gone
   */
  public boolean reschedule(Target target, Due due) {
    boolean moved = store.reschedule(channel, target, due);
    waker.wake(channel.name());
    return moved;
  }

  /** Its dead letters. */
  public DeadLetters deadLetters() {
    return new DeadLetters(channel, store, waker);
  }

  /**
   * A look into it: how much there is, and what.
   *
   * @throws UnsupportedOperationException if its store cannot be looked into
   */
  public Inspection inspect() {
    if (store instanceof Inspectable inspectable) {
      return new Inspection(channel, inspectable);
    }
    throw new UnsupportedOperationException(
        "The store of inbox '"
            + name()
            + "' cannot be looked into: "
            + store.getClass().getName()
            + " is not Inspectable.");
  }

  /**
   * Encodes a payload as {@link #write} would. Written later, the encoded {@link Payload} is stored
   * as it is.
   *
   * @throws InvalidMessageException if it cannot be stored as it is
   * @throws UnknownContractException if its type has no contract
   */
  public Payload encode(Object payload) {
    return encode(payload, WriteOptions.NONE);
  }

  /** The same with options, of which only the payload's type counts. */
  public Payload encode(Object payload, WriteOptions options) {
    return factory.encode(channel, payload, options);
  }

  /** The largest payload it takes, in bytes. */
  public int maximumPayload() {
    return factory.maximumPayload();
  }

  /** A new id, such as messages get that are written without one. */
  public UUID newMessageId() {
    return factory.newId();
  }

  /** Its channel: for facades that lease its messages by themselves. */
  public Channel channel() {
    return channel;
  }

  /** Where its messages live: for facades that lease them by themselves. */
  public Store store() {
    return store;
  }

  /** The state under that key in the inbox's store, or null if there is none. */
  public @Nullable StoredState state(StateKey key) {
    return store.state(key);
  }

  /**
   * Changes a state, and with it writes messages and removes others: all of it or nothing, in no
   * transaction but the store's own. For facades that remember more than their messages.
   *
   * @param change the state's new version
   * @param messages what to write; may be empty
   * @param cancels which messages to remove; one that is leased, dead or gone stays as it is
   * @return a receipt per message, in input order
   * @throws VersionConflictException if the state is not at the expected version; nothing happened
   * @throws TransientStoreException if the store failed; whether it happened may be unknown: read
   *     the state again
   */
  public List<Receipt> commit(StateChange change, List<Outgoing> messages, List<UUID> cancels) {
    List<Commit.Cancel> removed =
        cancels.stream().map(id -> new Commit.Cancel(channel, Target.id(id))).toList();
    Appender together =
        (created, none) ->
            store.commit(
                new Commit(
                    List.of(),
                    created.isEmpty() ? List.of() : List.of(new Commit.Appends(channel, created)),
                    removed,
                    change));
    List<Receipt> receipts = append(messages, null, together);
    waker.wake(channel.name());
    return receipts;
  }

  /**
   * Messages for this inbox as part of a {@link Commit}, checked and encoded but not stored.
   *
   * @throws InvalidMessageException if one cannot be stored as it is, or names a transaction
   * @throws UnknownContractException if a payload's type has no contract
   */
  public Commit.Appends prepare(List<Outgoing> messages) {
    List<NewMessage> created = new ArrayList<>(messages.size());
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, tags, Trace.NONE)) {
      for (Outgoing message : messages) {
        if (message.options().transaction != null) {
          throw new InvalidMessageException(
              "A message for '" + name() + "' names a transaction, and is to be part of a commit.");
        }
        created.add(factory.create(channel, message.payload(), message.options(), scope));
      }
    }
    return new Commit.Appends(channel, created);
  }

  /** The removal of a message of this inbox as part of a {@link Commit}. */
  public Commit.Cancel removal(Target target) {
    return new Commit.Cancel(channel, target);
  }

  /** How its messages are ordered. */
  public Ordering ordering() {
    return channel.ordering();
  }

  /** Whether both are kept in one store, so that one {@link Commit} can change both. */
  public boolean sharesStoreWith(Inbox other) {
    return store == other.store;
  }

  private List<Receipt> append(List<?> outgoing, @Nullable Transaction named) {
    if (outgoing.isEmpty()) {
      return List.of();
    }
    return append(outgoing, named == null ? currentTransaction.current() : named, appender);
  }

  private List<Receipt> append(
      List<?> outgoing, @Nullable Transaction transaction, Appender appender) {
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, tags, Trace.NONE)) {
      List<NewMessage> messages = new ArrayList<>(outgoing.size());
      for (Object one : outgoing) {
        messages.add(
            one instanceof Outgoing own
                ? factory.create(channel, own.payload(), own.options(), scope)
                : factory.create(channel, one, WriteOptions.NONE, scope));
      }
      List<AppendResult> results;
      try {
        results = appender.append(messages, transaction);
      } catch (RuntimeException error) {
        scope.failed(error);
        throw error;
      }
      return receipts(messages, results);
    }
  }

  private List<Receipt> receipts(List<NewMessage> messages, List<AppendResult> results) {
    List<Receipt> receipts = new ArrayList<>(results.size());
    int accepted = 0;
    for (int i = 0; i < results.size(); i++) {
      AppendResult result = results.get(i);
      accepted += result.accepted() ? 1 : 0;
      receipts.add(
          new Receipt(
              result.id(),
              messages.get(i).envelope().contract(),
              result.acceptedAt(),
              result.accepted() ? Receipt.Status.ACCEPTED : Receipt.Status.DUPLICATE));
    }
    if (accepted > 0) {
      telemetry.count(Telemetry.Counter.RECEIVED, tags, accepted);
    }
    if (accepted < results.size()) {
      telemetry.count(Telemetry.Counter.DUPLICATE, tags, results.size() - accepted);
    }
    return receipts;
  }
}
