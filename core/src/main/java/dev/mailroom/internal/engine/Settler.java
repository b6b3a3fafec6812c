package dev.mailroom.internal.engine;

import dev.mailroom.Backoff;
import dev.mailroom.Ordering;
import dev.mailroom.TransientStoreException;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final int ENOUGH = 500;
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
   * @param storeChanged raised when a settled outcome may have made something claimable
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

  private record Pending(HeldLease lease, Settlement settlement) {}

  @Override
  public String name() {
    return "settler";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  void add(HeldLease lease, Settlement settlement) {
    queue.add(new Pending(lease, settlement));
    added(1);
  }

  void add(HeldLease lease, List<Settlement> settlements) {
    for (Settlement settlement : settlements) {
      queue.add(new Pending(lease, settlement));
    }
    added(settlements.size());
  }

  private void added(int count) {
    int now = waiting.addAndGet(count);
    if (now == count) {
      waitingSince = context.time().nanos();
      signal.raise();
    } else if (now >= ENOUGH && now - count < ENOUGH) {
      signal.raise();
    }
  }

  boolean isEmpty() {
    return waiting.get() == 0;
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

  /** Stores everything that waits, without waiting for more. */
  void flush() {
    while (waiting.get() > 0) {
      Duration rest = settle(repeated.isEmpty() ? take() : repeated);
      if (!rest.isZero()) {
        return; // the store is in trouble; the loop goes on trying
      }
    }
  }

  private List<Pending> take() {
    List<Pending> batch = new ArrayList<>(Math.min(waiting.get(), ENOUGH));
    while (batch.size() < ENOUGH) {
      Pending pending = queue.poll();
      if (pending == null) {
        break;
      }
      batch.add(pending);
    }
    waitingSince = context.time().nanos();
    return batch;
  }

  /** Answers how long to rest: not at all, unless the store is in trouble. */
  private Duration settle(List<Pending> batch) {
    boolean again = batch == repeated;
    List<Settlement> settlements = new ArrayList<>(batch.size());
    for (Pending pending : batch) {
      settlements.add(pending.settlement());
    }
    try {
      Set<UUID> lost = spec.store().settle(spec.channel(), settlements);
      done(batch, lost, again);
      return Duration.ZERO;
    } catch (TransientStoreException error) {
      return failed(batch, error);
    } catch (RuntimeException error) {
      return batch.size() > 1 ? oneByOne(batch, error) : givenUp(batch, error);
    }
  }

  private void done(List<Pending> batch, Set<UUID> lost, boolean again) {
    if (failures > 0) {
      LOG.info("Outcomes of channel '{}' can be stored again", spec.channel().name());
    }
    failures = 0;
    repeated = List.of();
    boolean claimable = spec.channel().ordering() != Ordering.NONE;
    for (Pending pending : batch) {
      Outcome outcome = pending.settlement().outcome();
      claimable |= outcome instanceof Outcome.Retried || outcome instanceof Outcome.Released;
      if (!lost.isEmpty() && lost.contains(pending.settlement().id())) {
        lost(pending, again);
      }
      book.settledOne(pending.lease());
    }
    waiting.addAndGet(-batch.size());
    if (claimable) {
      storeChanged.raise();
    }
  }

  private void lost(Pending pending, boolean again) {
    if (again) {
      // The first try may have taken effect before it failed; then this is no news.
      LOG.debug("Message {} was settled before, or its lease is lost", pending.settlement().id());
      return;
    }
    context.telemetry().count(Telemetry.Counter.LEASE_LOST, spec.tags(), 1);
    LOG.warn(
        "The outcome of message {} of channel '{}' was refused: its lease is lost and another"
            + " worker handles it. A longer lease, or leaseExtension(true), avoids this.",
        pending.settlement().id(),
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
      (pending.lease().hasRunOut(context.time()) ? over : alive).add(pending);
    }
    repeated = alive;
    giveUp(over);
    return alive.isEmpty() ? Duration.ZERO : AFTER_FAILURE.delay(failures);
  }

  /** One bad outcome must not hold up the others it was gathered with. */
  private Duration oneByOne(List<Pending> batch, RuntimeException error) {
    LOG.warn(
        "{} outcomes of channel '{}' could not be stored together; storing them one by one",
        batch.size(),
        spec.channel().name(),
        error);
    repeated = List.of();
    List<Pending> later = new ArrayList<>();
    for (Pending pending : batch) {
      settle(List.of(pending));
      later.addAll(repeated);
      repeated = List.of();
    }
    repeated = later;
    return later.isEmpty() ? Duration.ZERO : AFTER_FAILURE.delay(Math.max(1, failures));
  }

  private Duration givenUp(List<Pending> batch, RuntimeException error) {
    LOG.error(
        "The outcome of message {} of channel '{}' cannot be stored; it will be handled again",
        batch.get(0).settlement().id(),
        spec.channel().name(),
        error);
    repeated = List.of();
    giveUp(batch);
    return Duration.ZERO;
  }

  private void giveUp(List<Pending> batch) {
    if (!batch.isEmpty()) {
      context.telemetry().count(Telemetry.Counter.SETTLE_FAILED, spec.tags(), batch.size());
      batch.forEach(pending -> book.settledOne(pending.lease()));
      waiting.addAndGet(-batch.size());
    }
  }
}
