package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.simulation.Holding.Verdict;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@link Invariant#NOTHING_LOST}. */
final class NothingLost extends Checker {

  NothingLost(Model model) {
    super(model, Invariant.NOTHING_LOST);
  }

  @Override
  void appended(SimulatedMessage message, @Nullable UsedKey taken, AppendResult result) {
    if (result.accepted()) {
      check(result.id().equals(message.id), () -> message + " was accepted as " + result.id());
      check(
          !message.exists() || message.perhapsCollapsed,
          () -> message + " was accepted although it is there, " + message.fate);
    } else {
      boolean keyTaken = taken != null && taken.isPerhapsTaken(model().now());
      check(
          keyTaken || message.exists(),
          () -> message + " was refused as a duplicate although it is " + message.fate);
    }
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    for (Holding holding : lease.holdings) {
      SimulatedMessage message = holding.message;
      Message stored = holding.stored;
      check(message.isLive(), () -> message + " was leased although it is " + message.fate);
      check(
          Arrays.equals(stored.envelope().payload().bytes(), message.bytes())
              && stored.routing().equals(message.routing),
          () -> message + " is not what was written: " + stored);
    }
  }

  @Override
  void died(SimulatedMessage message) {
    check(message.isFree(), () -> message + " died at a claim although it is " + message.fate);
  }

  @Override
  void settled(Settlement settlement, @Nullable Holding held, boolean refused) {
    if (held != null) {
      check(
          isWhatTheHandlerSaid(settlement.outcome(), held),
          () ->
              held
                  + " was settled as "
                  + settlement.outcome()
                  + ", its verdict is "
                  + held.verdict);
    }
  }

  private boolean isWhatTheHandlerSaid(Outcome outcome, Holding held) {
    if (outcome instanceof Outcome.Released) {
      return !held.isStarted() || wasHeldUp(held);
    }
    Verdict verdict = held.verdict;
    if (verdict == null) {
      return false;
    }
    return switch (verdict) {
      case COMPLETE -> outcome instanceof Outcome.Completed;
      case RETRY -> isRetried(outcome, Outcome.Counts.ATTEMPT);
      case DEFER -> isRetried(outcome, Outcome.Counts.DEFERRAL);
      case DIE ->
          model().tuning.deadLetters()
              ? outcome instanceof Outcome.Dead
              : outcome instanceof Outcome.Discarded;
    };
  }

  private static boolean isRetried(Outcome outcome, Outcome.Counts counts) {
    return outcome instanceof Outcome.Retried retried && retried.counts() == counts;
  }

  /** In a batch of a group, what is behind a failure comes again, whatever its own answer was. */
  private boolean wasHeldUp(Holding held) {
    if (model().groupOf(held.message) == null) {
      return false;
    }
    for (Holding earlier : held.lease.holdings) {
      if (earlier == held) {
        return false;
      }
      Verdict verdict = earlier.verdict;
      boolean together =
          earlier.call == held.call && model().companions(held.message).contains(earlier.message);
      if (together && verdict != null && GroupOrder.holdsUp(model(), verdict)) {
        return true;
      }
    }
    return false;
  }

  @Override
  void atRest() {
    for (SimulatedMessage message : model().messages()) {
      boolean ended =
          message.fate != SimulatedMessage.Fate.STAGED
              && (!message.isLive() || message.perhapsCollapsed);
      check(ended, () -> message + " is still " + message.fate + " at the end");
    }
  }
}
