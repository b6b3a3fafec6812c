package dev.mailroom.internal.engine;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.WakeUps;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers the outcomes of many messages and stores them together: when there are enough, when the
 * oldest has waited long enough, or when nothing else is in hand. An outcome that cannot be stored
 * is tried again until its lease has run out; then another worker will take the message.
 */
final class Settler implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
  private static final Duration IDLE_REST = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMillis(2);
  private static final int ENOUGH = 1_000;

  /** With more outcomes than this, nothing further is leased until some are stored. */
  private static final int MOST = Limits.BATCH;

  private static final Backoff AFTER_FAILURE =
      Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1)).withJitter(0);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final LeaseBook book;
  private final BooleanSupplier nothingInHand;
  private final Signal storeChanged;
  private final Signal signal = new Signal();
  private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long waitingSince;
  private List<Pending> repeated = List.of();
  private int failures;

  /**
   * A settler for one channel.
   *
   * @param nothingInHand whether waiting for more outcomes is pointless
   * @param storeChanged raised when a settled outcome may have made something claimable, or when it
   *     is not behind any more
   */
  Settler(
      ChannelSpec spec,
      EngineContext context,
      LeaseBook book,
      BooleanSupplier nothingInHand,
      Signal storeChanged) {
    this.spec = spec;
    this.context = context;
    this.book = book;
    this.nothingInHand = nothingInHand;
    this.storeChanged = storeChanged;
  }

  /** Outcomes of one work: they stay together, which spares the queue an element each. */
  private record Pending(HeldLease lease, List<Settlement> settlements) {}

  @Override
  public String name() {
    return "settler";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  /** Takes up the outcomes of one work, at least one. */
  void add(HeldLease lease, List<Settlement> settlements) {
    queue.add(new Pending(lease, settlements));
    int count = settlements.size();
    int now = waiting.addAndGet(count);
    if (now == count) {
      waitingSince = context.time().nanos();
      signal.raise();
    } else if (now >= ENOUGH && now - count < ENOUGH) {
      signal.raise();
    }
  }

  /** Outcomes of one work that were stored together with what its handler wrote. */
  void stored(HeldLease lease, int messages) {
    book.settled(lease, messages);
    if (spec.channel().ordering() != Ordering.NONE) {
      storeChanged.raise();
    }
  }

  boolean isEmpty() {
    return waiting.get() == 0;
  }

  /** Whether so many outcomes wait that handlers are too fast for the store. */
  boolean isBehind() {
    return waiting.get() > MOST;
  }

  @Override
  public Duration pass() {
    if (!repeated.isEmpty()) {
      return settle(repeated);
    }
    int count = waiting.get();
    if (count == 0) {
      return IDLE_REST;
    }
    long nanosLeft = waitingSince + LONGEST_WAIT.toNanos() - context.time().nanos();
    if (count < ENOUGH && nanosLeft > 0 && !nothingInHand.getAsBoolean()) {
      return Duration.ofNanos(nanosLeft);
    }
    return settle(take());
  }

  /**
   * Stores everything that waits, without waiting for more.
   *
   * @return zero, or how long to rest before the next try if the store is in trouble
   */
  Duration flush() {
    Duration rest = Duration.ZERO;
    while (waiting.get() > 0 && rest.isZero()) {
      rest = settle(repeated.isEmpty() ? take() : repeated);
    }
    return rest;
  }

  /**
   * The next outcomes, each message at most once, as the store asks for. A message comes a second
   * time if its lease ran out while the outcome waited and this process has leased and handled it
   * again. Then the second outcome waits for the next call: told of both at once, the store could
   * not say which of them is lost.
   */
  private List<Pending> take() {
    List<Pending> batch = new ArrayList<>();
    int count = 0;
    boolean stale = false;
    while (count < ENOUGH) {
      Pending pending = queue.peek();
      if (pending != null && pending.lease().isGivenUp()) {
        giveUp(List.of(queue.remove()));
        continue;
      }
      if (pending == null
          || count + pending.settlements().size() > Limits.BATCH
          || (stale && repeats(batch, pending))) {
        break;
      }
      batch.add(queue.remove());
      count += pending.settlements().size();
      stale = stale || pending.lease().isLost() || pending.lease().hasRunOut(context.time());
    }
    waitingSince = context.time().nanos();
    return batch;
  }

  private static boolean repeats(List<Pending> batch, Pending next) {
    Set<UUID> taken = new HashSet<>();
    for (Pending pending : batch) {
      pending.settlements().forEach(settlement -> taken.add(settlement.id()));
    }
    return next.settlements().stream().anyMatch(settlement -> taken.contains(settlement.id()));
  }

  /** Answers how long to rest: not at all, unless the store is in trouble. */
  private Duration settle(List<Pending> batch) {
    if (batch.isEmpty()) {
      return Duration.ZERO;
    }
    boolean again = batch == repeated;
    repeated = batch; // whatever is thrown on the way
    List<Settlement> settlements = new ArrayList<>(ENOUGH);
    for (Pending pending : batch) {
      settlements.addAll(pending.settlements());
    }
    Set<UUID> lost;
    try {
      lost = spec.store().settle(spec.channel(), settlements);
    } catch (TransientStoreException error) {
      return failed(batch, error);
    } catch (RuntimeException | Error error) {
      return settlements.size() > 1 ? oneByOne(batch, error) : givenUp(batch, error);
    }
    done(batch, lost, again);
    return Duration.ZERO;
  }

  private void done(List<Pending> batch, Set<UUID> lost, boolean again) {
    forget(batch);
    if (failures > 0) {
      failures = 0;
      LOG.info("Outcomes of channel '{}' can be stored again", spec.channel().name());
    }
    // A store that wakes says by itself when a completed message lets its group go on.
    boolean claimable =
        spec.channel().ordering() != Ordering.NONE && !(spec.store() instanceof WakeUps);
    for (Pending pending : batch) {
      for (Settlement settlement : pending.settlements()) {
        Outcome outcome = settlement.outcome();
        claimable |= !(outcome instanceof Outcome.Completed);
        if (!lost.isEmpty() && lost.contains(settlement.id())) {
          lost(settlement.id(), again);
        }
      }
    }
    if (claimable) {
      storeChanged.raise();
    }
  }

  private void lost(UUID id, boolean again) {
    if (again) {
      // The first try may have taken effect before it failed; then this is no news.
      LOG.debug("Message {} was settled before, or its lease is lost", id);
      return;
    }
    context.telemetry().count(Telemetry.Counter.LEASE_LOST, spec.tags(), 1);
    LOG.warn(
        "The outcome of message {} of channel '{}' was refused: its lease is lost and another"
            + " worker handles it. A longer lease, or leaseExtension(true), avoids this.",
        id,
        spec.channel().name());
  }

  private Duration failed(List<Pending> batch, RuntimeException error) {
    failures++;
    if (failures == 1) {
      LOG.warn(
          "Outcomes of channel '{}' could not be stored; trying again until their leases end",
          spec.channel().name(),
          error);
    }
    List<Pending> alive = new ArrayList<>(batch.size());
    List<Pending> over = new ArrayList<>();
    for (Pending pending : batch) {
      (hasRunOut(pending.lease()) ? over : alive).add(pending);
    }
    try {
      giveUp(over);
    } finally {
      repeated = alive;
    }
    return alive.isEmpty() ? Duration.ZERO : AFTER_FAILURE.delay(failures);
  }

  /** Whether it is too late for the outcomes of a lease. */
  private boolean hasRunOut(HeldLease lease) {
    boolean over = lease.isGivenUp() || lease.hasRunOut(context.time());
    if (over) {
      abandonInOrder(lease);
    }
    return over;
  }

  /**
   * In order nothing of a lease goes on once an outcome of it is given up: that message comes
   * again, and must not come behind its successors. Nor is the lease extended any more.
   */
  private void abandonInOrder(HeldLease lease) {
    if (spec.channel().ordering() != Ordering.NONE) {
      lease.giveUp();
      book.abandon(lease);
    }
  }

  /** One bad outcome must not hold up the others it was gathered with. */
  private Duration oneByOne(List<Pending> batch, Throwable error) {
    LOG.warn(
        "Outcomes of channel '{}' could not be stored together; storing them one by one",
        spec.channel().name(),
        error);
    Deque<Pending> left = new ArrayDeque<>();
    for (Pending pending : batch) {
      for (Settlement settlement : pending.settlements()) {
        left.add(new Pending(pending.lease(), List.of(settlement)));
      }
    }
    List<Pending> later = new ArrayList<>();
    try {
      while (!left.isEmpty()) {
        settleOne(left.remove(), later);
      }
    } finally {
      later.addAll(left);
      repeated = later;
    }
    return later.isEmpty() ? Duration.ZERO : AFTER_FAILURE.delay(Math.max(1, failures));
  }

  private void settleOne(Pending pending, List<Pending> later) {
    if (pending.lease().isGivenUp()) {
      giveUp(List.of(pending));
      return;
    }
    try {
      settle(List.of(pending));
    } finally {
      later.addAll(repeated);
    }
  }

  private Duration givenUp(List<Pending> batch, Throwable error) {
    LOG.error(
        "The outcome of message {} of channel '{}' cannot be stored; it will be handled again",
        batch.get(0).settlements().get(0).id(),
        spec.channel().name(),
        error);
    batch.forEach(pending -> abandonInOrder(pending.lease()));
    giveUp(batch);
    return Duration.ZERO;
  }

  private void giveUp(List<Pending> batch) {
    if (!batch.isEmpty()) {
      context.telemetry().count(Telemetry.Counter.SETTLE_FAILED, spec.tags(), forget(batch));
    }
  }

  /** These outcomes are settled, or given up; answers how many they were. */
  private int forget(List<Pending> batch) {
    repeated = List.of();
    int count = 0;
    for (Pending pending : batch) {
      count += pending.settlements().size();
      book.settled(pending.lease(), pending.settlements().size());
    }
    int left = waiting.addAndGet(-count);
    if (left <= MOST && left + count > MOST) {
      storeChanged.raise(); // it has caught up
    }
    return count;
  }
}
