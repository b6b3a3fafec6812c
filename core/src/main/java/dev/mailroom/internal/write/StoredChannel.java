package dev.mailroom.internal.write;

import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.internal.engine.Waker;
import dev.mailroom.internal.query.ChannelDeadLetters;
import dev.mailroom.internal.query.ChannelInspection;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.Trace;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.StateChange;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.transactions.CurrentTransaction;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A channel over its store: encodes payloads, appends messages and wakes the channel's engine. */
public final class StoredChannel implements MessageChannel {
  private final Channel channel;
  private final Store store;
  private final MessageFactory factory;
  private final Appender appender;
  private final Waker waker;
  private final CurrentTransaction currentTransaction;
  private final Telemetry telemetry;
  private final Telemetry.Tags tags;
  private volatile boolean closed;

  /** Over this store. */
  public StoredChannel(
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

  /** Refuses writes from now on. */
  public void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "The mailroom of inbox '"
              + name()
              + "' is closed: nothing was stored. Write before close(), or build a new mailroom.");
    }
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Receipt write(Object payload, WriteOptions options) {
    return append(List.of(new Outgoing(payload, options)), options.transaction()).get(0);
  }

  @Override
  public CompletionStage<Receipt> writeAsync(Object payload, WriteOptions options) {
    Transaction named = options.transaction();
    Transaction transaction = named == null ? currentTransaction.current() : named;
    NewMessage message;
    requireOpen();
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

  @Override
  public List<Receipt> writeAll(List<?> messages, @Nullable Transaction transaction) {
    for (Object message : messages) {
      if (message instanceof Outgoing own && own.options().transaction() != null) {
        throw new InvalidMessageException(
            "An Outgoing names a transaction of its own: all messages of a batch go into one, so"
                + " pass it to writeAll(messages, transaction). Nothing was stored.");
      }
    }
    return append(messages, transaction);
  }

  @Override
  public boolean cancel(Target target) {
    boolean done = store.cancel(channel, target);
    if (done && target.includesLeased()) {
      waker.wake(channel.name()); // its group may go on
    }
    return done;
  }

  @Override
  public boolean reschedule(Target target, Due due) {
    boolean moved = store.reschedule(channel, target, due);
    waker.wake(channel.name());
    return moved;
  }

  @Override
  public DeadLetters deadLetters() {
    return new ChannelDeadLetters(channel, store, waker);
  }

  @Override
  public Inspection inspect() {
    if (store instanceof Inspectable inspectable) {
      return new ChannelInspection(channel, inspectable);
    }
    throw new UnsupportedOperationException(
        "The store of inbox '"
            + name()
            + "' does not support inspection: "
            + store.getClass().getName()
            + " is not Inspectable.");
  }

  @Override
  public Payload encode(Object payload, WriteOptions options) {
    return factory.encode(channel, payload, options);
  }

  @Override
  public int maximumPayload() {
    return factory.maximumPayload();
  }

  @Override
  public UUID newMessageId() {
    return factory.newId();
  }

  @Override
  public @Nullable StoredState state(StateKey key) {
    return store.state(key);
  }

  @Override
  public List<Receipt> commit(StateChange change, List<Outgoing> messages, List<UUID> cancels) {
    List<Commit.Cancel> removed = cancels.stream().map(id -> removal(Target.id(id))).toList();
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

  @Override
  public Commit.Appends prepare(List<Outgoing> messages) {
    requireOpen();
    List<NewMessage> created = new ArrayList<>(messages.size());
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, tags, Trace.NONE)) {
      for (Outgoing message : messages) {
        if (message.options().transaction() != null) {
          throw new InvalidMessageException(
              "A message for '" + name() + "' names a transaction, and is to be part of a commit.");
        }
        created.add(factory.create(channel, message.payload(), message.options(), scope));
      }
    }
    return new Commit.Appends(channel, created);
  }

  private List<Receipt> append(List<?> outgoing, @Nullable Transaction named) {
    if (outgoing.isEmpty()) {
      return List.of();
    }
    return append(outgoing, named == null ? currentTransaction.current() : named, appender);
  }

  private List<Receipt> append(
      List<?> outgoing, @Nullable Transaction transaction, Appender appender) {
    requireOpen();
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, tags, Trace.NONE)) {
      List<NewMessage> messages = new ArrayList<>(outgoing.size());
      for (Object one : outgoing) {
        messages.add(
            one instanceof Outgoing own
                ? factory.create(channel, own.payload(), own.options(), scope)
                : factory.create(channel, one, WriteOptions.defaults(), scope));
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
