package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims as many messages as fit into the prefetch window and buffers them for the workers; then
 * waits for a wake-up, the next due time or the poll interval, whichever comes first. After a claim
 * that found messages it looks again soon.
 */
final class Fetcher implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
  // A shorter delay would be a busy loop.
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  /** Added to the next due time: a claim slightly too early is empty, and the next one late. */
  private static final Duration DUE_MARGIN = Duration.ofNanos(500_000);

  /** The minimum delay after a claim that found messages; otherwise a multiple of its duration. */
  private static final Duration MIN_RECHECK = Duration.ofMillis(5);

  private static final int RECHECK_FACTOR = 4;

  private final ChannelSpec spec;
  private final EngineContext context;
  private final Signal signal;
  private final PrefetchWindow window;
  private final LeaseDispatcher dispatcher;
  private volatile boolean paused;
  private int idlePasses;
  private boolean claimedBefore;
  private long claimStartedAt;
  private long claimedAt;
  private boolean moreDue;

  Fetcher(
      ChannelSpec spec,
      EngineContext context,
      Signal signal,
      PrefetchWindow window,
      LeaseDispatcher dispatcher) {
    this.spec = spec;
    this.context = context;
    this.signal = signal;
    this.window = window;
    this.dispatcher = dispatcher;
  }

  @Override
  public String name() {
    return "fetcher";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  boolean isPaused() {
    return paused;
  }

  void pause(boolean value) {
    paused = value;
    signal.raise();
  }

  @Override
  public Duration pass() {
    // Checked here and not only waited for: signals end the wait early.
    Duration pause = spec.options().reading().delayBetweenReads();
    long nanosLeft = claimedAt + pause.toNanos() - context.time().nanos();
    return claimedBefore && !pause.isZero() && nanosLeft > 0
        ? Duration.ofNanos(nanosLeft)
        : claimNow();
  }

  /** Whether the last claim was empty although the store reports more due messages. */
  boolean hasMoreDue() {
    return moreDue;
  }

  /** A pass without the delay between claims. */
  Duration claimNow() {
    InboxOptions.Reading reading = spec.options().reading();
    dispatcher.wakeWorkers();
    moreDue = false;
    int limit = paused ? 0 : window.claimLimit();
    if (limit == 0) {
      return reading.maximumPoll();
    }
    Claim claim = claim(limit);
    Lease lease = claim.lease();
    moreDue = lease == null && claim.nextDue() != null && claim.nextDue().isZero();
    // A poison message is leased alone, which says nothing about the backlog.
    boolean full =
        lease != null
            && (lease.messages().size() == limit
                || lease.messages().get(0).progress().crashes() > 0);
    window.recordBacklog(full);
    if (lease == null) {
      return idleRest(untilDue(claim));
    }
    idlePasses = 0;
    return full ? reading.delayBetweenReads() : shortestOf(untilDue(claim), recheckDelay());
  }

  /**
   * After a claim that found messages, more are likely, and wake-ups of other processes may be
   * coalesced: so the next claim follows soon, but claims take at most a fifth of the time.
   */
  private Duration recheckDelay() {
    Duration rest = Duration.ofNanos(claimedAt - claimStartedAt).multipliedBy(RECHECK_FACTOR);
    Duration soon = rest.compareTo(MIN_RECHECK) < 0 ? MIN_RECHECK : rest;
    Duration poll = spec.options().reading().poll();
    return soon.compareTo(poll) < 0 ? soon : poll;
  }

  /** The next due time was measured when the claim started; subtracts the duration of the call. */
  private @Nullable Duration untilDue(Claim claim) {
    Duration nextDue = claim.nextDue();
    return nextDue == null ? null : nextDue.minusNanos(claimedAt - claimStartedAt).plus(DUE_MARGIN);
  }

  private Claim claim(int limit) {
    claimStartedAt = context.time().nanos();
    Claim claim = spec.store().lease(spec.channel(), request(limit));
    claimedBefore = true;
    claimedAt = context.time().nanos();
    reportDeadLettered(claim.deadLettered());
    Lease lease = claim.lease();
    if (lease != null) {
      dispatcher.dispatch(lease, claimStartedAt);
    }
    return claim;
  }

  /** The request for a claim of at most this many messages. */
  LeaseRequest request(int limit) {
    return new LeaseRequest(
        spec.worker(),
        limit,
        Math.min(limit, spec.messagesPerItem()),
        spec.options().leasing().duration(),
        spec.options().reading().tenant(),
        window.hasFreeSlot());
  }

  private void reportDeadLettered(List<DeadLetter> died) {
    for (DeadLetter letter : died) {
      boolean kept = spec.channel().policy().keepDeadLetters();
      context
          .telemetry()
          .count(
              kept ? Telemetry.Counter.DEAD_LETTERED : Telemetry.Counter.DISCARDED,
              new Telemetry.Tags(spec.channel().name(), letter.message().contract().name(), null),
              1);
      LOG.warn(
          "Message {} ({}) of channel '{}' was {} at the claim: {}",
          letter.id(),
          letter.message().contract(),
          spec.channel().name(),
          kept ? "dead-lettered" : "discarded",
          letter.error());
    }
  }

  private Duration idleRest(@Nullable Duration nextDue) {
    InboxOptions.Reading reading = spec.options().reading();
    Duration poll = reading.poll().multipliedBy(1L << Math.min(idlePasses, 10));
    idlePasses++;
    Duration rest = poll.compareTo(reading.maximumPoll()) < 0 ? poll : reading.maximumPoll();
    return shortestOf(nextDue, rest);
  }

  private static Duration shortestOf(@Nullable Duration nextDue, Duration rest) {
    if (nextDue == null || nextDue.compareTo(rest) >= 0) {
      return rest;
    }
    return nextDue.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : nextDue;
  }
}
