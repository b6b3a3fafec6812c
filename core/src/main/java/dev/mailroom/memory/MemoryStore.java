package dev.mailroom.memory;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.errors.Violations;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.MessageCursor;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.time.TimeSource;
import dev.mailroom.transactions.Transaction;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process's memory: all features of a durable store, but its data is lost when the
 * process ends. For tests, for development, and for work that may be lost with its process.
 *
 * <p>Thread-safe. Bounded: see {@link Builder#capacity}.
 */
public final class MemoryStore implements Store, Transactional, WakeUps, Inspectable, Durability {
  /** The default capacity in rows: {@value}. */
  public static final int DEFAULT_CAPACITY = 1_000_000;

  private final TimeSource time;
  private final Capacity capacity;
  private final LeaseTokens tokens;
  private final WakeUpListeners listeners = new WakeUpListeners();
  private final MemoryStates states = new MemoryStates();
  private final Map<String, MemoryChannel> channels = new ConcurrentHashMap<>();

  private MemoryStore(Builder builder) {
    this.time = builder.time;
    this.capacity = new Capacity(builder.capacity);
    this.tokens = new LeaseTokens(builder.random);
  }

  /** A store with all defaults. */
  public static MemoryStore create() {
    return builder().build();
  }

  /** A store with options. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    Limits.requireCount("number of messages to append", messages.size(), Limits.APPEND_BATCH);
    MemoryTransaction owner = transaction == null ? null : own(transaction);
    AppendRequest request = new AppendRequest(channel, List.copyOf(messages));
    TransactionWait transactionWait = null;
    while (true) {
      StagedAppend stagedAppend = new StagedAppend(rows(channel), request, capacity, owner);
      Optional<MemoryTransaction> blocker =
          in(channel, (rows, now) -> tryAppend(stagedAppend, owner, now));
      if (blocker.isEmpty()) {
        return stagedAppend.results();
      }
      transactionWait = transactionWait == null ? new TransactionWait(time) : transactionWait;
      transactionWait.await(blocker.get());
    }
  }

  private static Optional<MemoryTransaction> tryAppend(
      StagedAppend stagedAppend, @Nullable MemoryTransaction owner, Instant now) {
    MemoryTransaction blocker = stagedAppend.stage(now);
    if (blocker != null) {
      return Optional.of(blocker);
    }
    if (owner == null) {
      stagedAppend.publish(now);
    } else {
      owner.add(stagedAppend);
    }
    return Optional.empty();
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    return withoutWakeUp(
        channel, (rows, now) -> new MemoryClaim(rows, channel.policy(), request, now).run(tokens));
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> held, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "The lease duration is " + duration + ": it must be positive.");
    }
    return in(
        channel, (rows, now) -> rows.leases.extend(held, SaturatingTime.after(now, duration)));
  }

  @Override
  public int release(Channel channel, Set<UUID> held) {
    return in(
        channel, (rows, now) -> new MemorySettlement(rows, channel.policy(), now).releaseAll(held));
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    Limits.requireCount("reclaim limit", limit, Limits.BATCH);
    return in(
        channel, (rows, now) -> new MemorySettlement(rows, channel.policy(), now).reclaim(limit));
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    Settlement.requireBatch(settlements);
    return in(
        channel,
        (rows, now) -> new MemorySettlement(rows, channel.policy(), now).settle(settlements));
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements, Transaction transaction) {
    Settlement.requireBatch(settlements);
    MemoryTransaction owner = own(transaction);
    return in(channel, (rows, now) -> owner.settle(rows, channel.policy(), settlements));
  }

  @Override
  public void checkpoint(Channel channel, Checkpoint checkpoint) {
    in(channel, (rows, now) -> rows.checkpoint(checkpoint));
  }

  @Override
  public List<AppendResult> commit(Commit commit) {
    Map<String, MemoryChannel> involved = new HashMap<>();
    commit.settlements().forEach(part -> Settlement.requireBatch(part.settlements()));
    commit.settlements().forEach(part -> involve(involved, part.channel()));
    commit.cancels().forEach(part -> involve(involved, part.channel()));
    commit.appends().forEach(part -> involve(involved, part.channel()));
    List<AppendRequest> requests = AppendRequest.of(commit.appends());
    LockedChannels locked = new LockedChannels(involved.values(), listeners);
    TransactionWait transactionWait = new TransactionWait(time);
    while (true) {
      AtomicCommit attempt = new AtomicCommit(commit, requests, involved, states, capacity);
      Optional<MemoryTransaction> blocker =
          locked.run(() -> states.locked(() -> attempt.run(time.now())));
      if (blocker.isEmpty()) {
        return attempt.results();
      }
      transactionWait.await(blocker.get());
    }
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    return in(channel, (rows, now) -> new TargetOperations(rows).cancel(target));
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    return in(channel, (rows, now) -> new TargetOperations(rows).reschedule(target, due, now));
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    Limits.requireCount("page limit", limit, Limits.BATCH);
    return in(channel, (rows, now) -> new MemoryDeadLetters(rows).page(filter, after, limit, now));
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    Limits.requireCount("redrive limit", limit, Limits.BATCH);
    return in(channel, (rows, now) -> new MemoryDeadLetters(rows).redrive(filter, limit, now));
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    Limits.requireCount("discard limit", limit, Limits.BATCH);
    return in(channel, (rows, now) -> new MemoryDeadLetters(rows).discard(filter, limit));
  }

  @Override
  public int purge(Channel channel, Purge what, int limit) {
    Limits.requireCount("purge limit", limit, Limits.BATCH);
    return in(
        channel,
        (rows, now) ->
            switch (what) {
              case DEAD_LETTERS ->
                  new MemoryDeadLetters(rows)
                      .purge(channel.policy().deadLetterLifetime(), limit, now);
              case DEDUPLICATION -> rows.deduplication.purge(rows, now, limit);
              case HISTORY -> rows.history.purge(now, limit);
              case IDLE_GROUPS -> 0; // a group is removed with its last message
            });
  }

  @Override
  public List<StateEntry> states(String type, @Nullable String after, int limit) {
    Limits.requireCount("limit", limit, Limits.BATCH);
    return states.list(type, after, limit);
  }

  @Override
  public @Nullable StoredState state(StateKey key) {
    return states.find(key);
  }

  @Override
  public OpenTransaction begin() {
    return new MemoryTransaction(this, time, listeners);
  }

  @Override
  public Subscription subscribe(Consumer<String> listener) {
    return listeners.subscribe(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public ChannelCounts counts(Channel channel) {
    Optional<ChannelCounts> counts;
    do {
      // empty while due messages are left to move: the lock is released in between
      counts = withoutWakeUp(channel, (rows, now) -> new MemoryInspection(rows, now).counts());
    } while (counts.isEmpty());
    return counts.get();
  }

  @Override
  public @Nullable InspectedMessage find(Channel channel, Target target) {
    return withoutWakeUp(channel, (rows, now) -> new MemoryInspection(rows, now).find(target))
        .orElse(null);
  }

  @Override
  public @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key) {
    return withoutWakeUp(channel, (rows, now) -> new MemoryInspection(rows, now).key(key))
        .orElse(null);
  }

  @Override
  public MessagePage search(
      Channel channel, MessageFilter filter, @Nullable String after, int limit) {
    Limits.requireCount("page limit", limit, Limits.BATCH);
    UUID before = after == null ? null : MessageCursor.parse(after);
    return withoutWakeUp(
        channel,
        (rows, now) ->
            new MemorySearch(rows, new MemoryInspection(rows, now), filter, before, limit).page());
  }

  @Override
  public String weakness() {
    return "The in-memory store loses everything with its process.";
  }

  /** How many rows are kept, over all channels; see {@link Builder#capacity}. */
  long rows() {
    return capacity.rows();
  }

  MemoryChannel rows(Channel channel) {
    MemoryChannel found = channels.get(channel.name());
    return found != null
        ? found
        : channels.computeIfAbsent(channel.name(), name -> new MemoryChannel(name, capacity));
  }

  private void involve(Map<String, MemoryChannel> involved, Channel channel) {
    involved.put(channel.name(), rows(channel));
  }

  private MemoryTransaction own(Transaction transaction) {
    if (transaction instanceof MemoryTransaction own && own.isOf(this)) {
      own.requireOpen();
      return own;
    }
    throw new UnsupportedOperationException(
        "The memory store cannot join "
            + transaction.getClass().getName()
            + ": it joins transactions of its own begin() only.");
  }

  /** Runs an operation under the channel's lock, then wakes listeners if work is available. */
  private <T> T in(Channel channel, Operation<T> operation) {
    MemoryChannel rows = rows(channel);
    rows.lock.lock();
    try {
      return operation.run(rows, time.now());
    } finally {
      boolean workAvailable = rows.finish();
      rows.lock.unlock();
      if (workAvailable) {
        listeners.wake(rows.name);
      }
    }
  }

  /** Runs an operation without waking listeners: they know the due times already. */
  private <T> T withoutWakeUp(Channel channel, Operation<T> operation) {
    return in(
        channel,
        (rows, now) -> {
          T answer = operation.run(rows, now);
          rows.scheduler.clearWorkAvailable();
          return answer;
        });
  }

  /** An operation on one channel under its lock, at one time. */
  private interface Operation<T> {
    T run(MemoryChannel rows, Instant now);
  }

  /** The options of a {@link MemoryStore}. */
  public static final class Builder {
    private TimeSource time = TimeSource.system();
    private int capacity = DEFAULT_CAPACITY;
    private RandomGenerator random = new SplittableRandom(new SecureRandom().nextLong());

    private Builder() {}

    /** Decides what is due and what has expired; the host's clocks by default. */
    public Builder time(TimeSource source) {
      this.time = Objects.requireNonNull(source, "time");
      return this;
    }

    /**
     * How many rows are kept at most, over all channels: ready, scheduled and leased messages, dead
     * letters, history, deduplication records and states. A write that would go over it throws
     * {@link dev.mailroom.errors.StoreFullException} and stores nothing; messages that it would
     * collapse count until it has succeeded. At least 1; {@value MemoryStore#DEFAULT_CAPACITY} by
     * default.
     */
    public Builder capacity(int rows) {
      this.capacity = rows;
      return this;
    }

    /**
     * Where lease tokens come from: used by one thread at a time, and seeded securely by default. A
     * simulation passes a seeded one, so that a run can be repeated.
     */
    public Builder random(RandomGenerator generator) {
      this.random = Objects.requireNonNull(generator, "random");
      return this;
    }

    /** Checks the options, reports every violation at once, and makes the store. */
    public MemoryStore build() {
      Violations violations = new Violations("MemoryStore");
      violations.positive("capacity", capacity);
      violations.raise();
      return new MemoryStore(this);
    }
  }
}
