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
 * Stores outcomes in batches: when a batch is full, when the oldest outcome has waited for the
 * maximum delay, or when no work is running or buffered. An outcome that cannot be stored is
 * retried until its lease has expired; then another worker will lease the message.
 */
final class Settler implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
  private static final Duration IDLE_REST = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMillis(2);
  private static final int FULL_BATCH = 1_000;

  /** With more outcomes than this, the fetcher pauses until some are stored (back-pressure). */
  private static final int MAX_WAITING = Limits.BATCH;

  private static final Backoff AFTER_FAILURE =
      Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1)).withJitter(0);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final HeldLeases heldLeases;
  private final BooleanSupplier isIdle;
  private final Signal workAvailable;
  private final Signal signal = new Signal();
  private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long waitingSince;
  private List<Pending> retrying = List.of();
  private int failures;

  /**
   * A settler for one channel.
   *
   * @param isIdle whether no outcome can follow soon, so that waiting for more is useless
   * @param workAvailable raised when a settled outcome may have made messages claimable, or when
   *     the settler has caught up
   */
  Settler(
      ChannelSpec spec,
      EngineContext context,
      HeldLeases heldLeases,
      BooleanSupplier isIdle,
      Signal workAvailable) {
    this.spec = spec;
    this.context = context;
    this.heldLeases = heldLeases;
    this.isIdle = isIdle;
    this.workAvailable = workAvailable;
  }

  /** The outcomes of one work item, as one element of the queue. */
  private record Pending(HeldLease lease, List<Settlement> settlements) {}

  @Override
  public String name() {
    return "settler";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  /** Adds the outcomes of one work item, at least one. */
  void add(HeldLease lease, List<Settlement> settlements) {
    queue.add(new Pending(lease, settlements));
    int count = settlements.size();
    int now = waiting.addAndGet(count);
    if (now == count) {
      waitingSince = context.time().nanos();
      signal.raise();
    } else if (now >= FULL_BATCH && now - count < FULL_BATCH) {
      signal.raise();
    }
  }

  /** Outcomes of one work item that were committed with the handler's own transaction. */
  void stored(HeldLease lease, int messages) {
    heldLeases.settled(lease, messages);
    if (spec.channel().ordering() != Ordering.NONE) {
      workAvailable.raise();
    }
  }

  boolean isEmpty() {
    return waiting.get() == 0;
  }

  /** Whether the handlers are faster than the store: too many outcomes wait. */
  boolean isBehind() {
    return waiting.get() > MAX_WAITING;
  }

  @Override
  public Duration pass() {
    if (!retrying.isEmpty()) {
      return settle(retrying);
    }
    int count = waiting.get();
    if (count == 0) {
      return IDLE_REST;
    }
    long nanosLeft = waitingSince + MAX_DELAY.toNanos() - context.time().nanos();
    if (count < FULL_BATCH && nanosLeft > 0 && !isIdle.getAsBoolean()) {
      return Duration.ofNanos(nanosLeft);
    }
    return settle(take());
  }

  /**
   * Stores all waiting outcomes without waiting for more.
   *
   * @return zero, or the back-off before the next attempt if the store fails
   */
  Duration flush() {
    Duration rest = Duration.ZERO;
    while (waiting.get() > 0 && rest.isZero()) {
      rest = settle(retrying.isEmpty() ? take() : retrying);
    }
    return rest;
  }

  /**
   * The next outcomes, each message at most once, as the store requires. A message is queued twice
   * if its lease expired while the outcome waited and this process has leased and handled it again.
   * Then the second outcome waits for the next call: given both at once, the store could not report
   * which of them is lost.
   */
  private List<Pending> take() {
    List<Pending> batch = new ArrayList<>();
    int count = 0;
    boolean stale = false;
    while (count < FULL_BATCH) {
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

  /** Returns zero, or the back-off if the store fails. */
  private Duration settle(List<Pending> batch) {
    if (batch.isEmpty()) {
      return Duration.ZERO;
    }
    boolean again = batch == retrying;
    retrying = batch; // kept if an error is thrown
    List<Settlement> settlements = new ArrayList<>(FULL_BATCH);
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
    // A store with wake-ups signals by itself when a completed message unblocks its group.
    boolean released =
        spec.channel().ordering() != Ordering.NONE && !(spec.store() instanceof WakeUps);
    for (Pending pending : batch) {
      for (Settlement settlement : pending.settlements()) {
        Outcome outcome = settlement.outcome();
        released |= !(outcome instanceof Outcome.Completed);
        if (!lost.isEmpty() && lost.contains(settlement.id())) {
          lost(settlement.id(), again);
        }
      }
    }
    if (released) {
      workAvailable.raise();
    }
  }

  private void lost(UUID id, boolean again) {
    if (again) {
      // The first attempt may have been stored before it failed; then this is expected.
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
          "Outcomes of channel '{}' could not be stored; retrying until their leases expire",
          spec.channel().name(),
          error);
    }
    List<Pending> alive = new ArrayList<>(batch.size());
    List<Pending> expired = new ArrayList<>();
    for (Pending pending : batch) {
      (hasRunOut(pending.lease()) ? expired : alive).add(pending);
    }
    try {
      giveUp(expired);
    } finally {
      retrying = alive;
    }
    return alive.isEmpty() ? Duration.ZERO : AFTER_FAILURE.delay(failures);
  }

  /** Whether it is too late for the outcomes of a lease. */
  private boolean hasRunOut(HeldLease lease) {
    boolean expired = lease.isGivenUp() || lease.hasRunOut(context.time());
    if (expired) {
      abandonInOrder(lease);
    }
    return expired;
  }

  /**
   * In an ordered channel a lease ends with its first outcome that cannot be stored: that message
   * is redelivered and must not be handled after its successors. The lease is no longer extended.
   */
  private void abandonInOrder(HeldLease lease) {
    if (spec.channel().ordering() != Ordering.NONE) {
      lease.giveUp();
      heldLeases.abandon(lease);
    }
  }

  /** One outcome that the store refuses must not block the rest of its batch. */
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
      retrying = later;
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
      later.addAll(retrying);
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

  /** Removes outcomes that are settled or abandoned; returns their number. */
  private int forget(List<Pending> batch) {
    retrying = List.of();
    int count = 0;
    for (Pending pending : batch) {
      count += pending.settlements().size();
      heldLeases.settled(pending.lease(), pending.settlements().size());
    }
    int left = waiting.addAndGet(-count);
    if (left <= MAX_WAITING && left + count > MAX_WAITING) {
      workAvailable.raise(); // the settler has caught up
    }
    return count;
  }
}
