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
 * Leases as many messages as there is room for and hands them to the workers; rests until a
 * wake-up, the next due time or the poll interval, whichever comes first, and only for moments
 * where it has just found something.
 */
final class Fetcher implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
  // Shorter rests would be a spin: a clock's tick, or a due time that lies a hair ahead.
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  /** Looking a hair too early is a claim for nothing, after which the next one comes late. */
  private static final Duration HAIR = Duration.ofNanos(500_000);

  /** The least rest after a claim that found something, and how much longer than the claim. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private static final int LOOK_AGAIN_FACTOR = 4;

  private final ChannelSpec spec;
  private final EngineContext context;
  private final Signal signal;
  private final Appetite appetite;
  private final Intake intake;
  private volatile boolean paused;
  private int idlePasses;
  private boolean claimedBefore;
  private long askedAt;
  private long claimedAt;
  private boolean hasUnleasedMessages;

  Fetcher(
      ChannelSpec spec, EngineContext context, Signal signal, Appetite appetite, Intake intake) {
    this.spec = spec;
    this.context = context;
    this.signal = signal;
    this.appetite = appetite;
    this.intake = intake;
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
    // Looked at here and not only rested for: signals end a rest, and they come all the time.
    Duration pause = spec.options().reading().delayBetweenReads();
    long nanosLeft = claimedAt + pause.toNanos() - context.time().nanos();
    return claimedBefore && !pause.isZero() && nanosLeft > 0
        ? Duration.ofNanos(nanosLeft)
        : claimNow();
  }

  /** Whether the last claim found nothing, though it has not looked at everything that is due. */
  boolean hasLeftSome() {
    return hasUnleasedMessages;
  }

  /** A pass that heeds no pause between claims. */
  Duration claimNow() {
    InboxOptions.Reading reading = spec.options().reading();
    intake.remind();
    hasUnleasedMessages = false;
    int want = paused ? 0 : appetite.want();
    if (want == 0) {
      return reading.maximumPoll();
    }
    Claim claim = claim(want);
    Lease lease = claim.lease();
    hasUnleasedMessages = lease == null && claim.nextDue() != null && claim.nextDue().isZero();
    // A message that has crashed before comes alone, which says nothing about how many wait.
    boolean full =
        lease != null
            && (lease.messages().size() == want
                || lease.messages().get(0).progress().crashes() > 0);
    appetite.looked(full);
    if (lease == null) {
      return idleRest(untilDue(claim));
    }
    idlePasses = 0;
    return full ? reading.delayBetweenReads() : shortestOf(untilDue(claim), lookAgain());
  }

  /**
   * Where something was, more is likely to come, and whoever writes it elsewhere tells of it only
   * now and then: so look again soon, though for no more than a fifth of the time.
   */
  private Duration lookAgain() {
    Duration rest = Duration.ofNanos(claimedAt - askedAt).multipliedBy(LOOK_AGAIN_FACTOR);
    Duration soon = rest.compareTo(LOOK_AGAIN) < 0 ? LOOK_AGAIN : rest;
    Duration poll = spec.options().reading().poll();
    return soon.compareTo(poll) < 0 ? soon : poll;
  }

  /** What the store said was so soon after it was asked, and the answer took its time. */
  private @Nullable Duration untilDue(Claim claim) {
    Duration nextDue = claim.nextDue();
    return nextDue == null ? null : nextDue.minusNanos(claimedAt - askedAt).plus(HAIR);
  }

  private Claim claim(int want) {
    askedAt = context.time().nanos();
    Claim claim = spec.store().lease(spec.channel(), request(want));
    claimedBefore = true;
    claimedAt = context.time().nanos();
    reportDeaths(claim.died());
    Lease lease = claim.lease();
    if (lease != null) {
      intake.add(lease, askedAt);
    }
    return claim;
  }

  /** What a claim of so many messages asks for. */
  LeaseRequest request(int want) {
    return new LeaseRequest(
        spec.worker(),
        want,
        Math.min(want, spec.messagesPerWork()),
        spec.options().leasing().duration(),
        spec.options().reading().tenant(),
        appetite.hasFreeSlot());
  }

  private void reportDeaths(List<DeadLetter> died) {
    for (DeadLetter letter : died) {
      boolean kept = spec.channel().policy().keepDeadLetters();
      context
          .telemetry()
          .count(
              kept ? Telemetry.Counter.DEAD_LETTERED : Telemetry.Counter.DISCARDED,
              new Telemetry.Tags(spec.channel().name(), letter.message().contract().name(), null),
              1);
      LOG.warn(
          "Message {} ({}) of channel '{}' died at the claim and was {}: {}",
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
