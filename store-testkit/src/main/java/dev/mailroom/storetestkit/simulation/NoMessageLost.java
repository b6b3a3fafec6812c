package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.simulation.LeasedMessage.ExpectedOutcome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@link Invariant#NO_MESSAGE_LOST}. */
final class NoMessageLost extends InvariantChecker {

  NoMessageLost(StoreModel model) {
    super(model, Invariant.NO_MESSAGE_LOST);
  }

  @Override
  void appended(
      SimulatedMessage message, @Nullable UsedDeduplicationKey taken, AppendResult result) {
    if (result.accepted()) {
      check(result.id().equals(message.id), () -> message + " was accepted as " + result.id());
      check(
          !message.exists() || message.perhapsCollapsed,
          () -> message + " was accepted although it is there, " + message.state);
    } else {
      boolean keyTaken = taken != null && taken.isPerhapsTaken(model().now());
      check(
          keyTaken || message.exists(),
          () -> message + " was refused as a duplicate although it is " + message.state);
    }
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    for (LeasedMessage leased : lease.messages) {
      SimulatedMessage message = leased.message;
      Message stored = leased.stored;
      check(message.isLive(), () -> message + " was leased although it is " + message.state);
      check(
          Arrays.equals(stored.envelope().payload().bytes(), message.bytes())
              && stored.routing().equals(message.routing),
          () -> message + " is not what was written: " + stored);
    }
  }

  @Override
  void died(SimulatedMessage message) {
    check(message.isUnleased(), () -> message + " died at a claim although it is " + message.state);
  }

  @Override
  void settled(Settlement settlement, @Nullable LeasedMessage held, boolean refused) {
    if (held != null) {
      check(
          isWhatTheHandlerSaid(settlement.outcome(), held),
          () -> held + " was settled as " + settlement.outcome() + ", expected " + held.expected);
    }
  }

  private boolean isWhatTheHandlerSaid(Outcome outcome, LeasedMessage held) {
    if (outcome instanceof Outcome.Released) {
      return !held.isStarted() || wasBlocked(held);
    }
    ExpectedOutcome expected = held.expected;
    if (expected == null) {
      return false;
    }
    return switch (expected) {
      case COMPLETE -> outcome instanceof Outcome.Completed;
      case RETRY -> isRetried(outcome, Outcome.Counts.ATTEMPT);
      case DEFER -> isRetried(outcome, Outcome.Counts.DEFERRAL);
      case DIE ->
          model().seeded.deadLetters()
              ? outcome instanceof Outcome.Dead
              : outcome instanceof Outcome.Discarded;
    };
  }

  private static boolean isRetried(Outcome outcome, Outcome.Counts counts) {
    return outcome instanceof Outcome.Retried retried && retried.counts() == counts;
  }

  /**
   * In a batch, messages of a group behind a failure are released, whatever their own result was.
   */
  private boolean wasBlocked(LeasedMessage held) {
    if (model().groupOf(held.message) == null) {
      return false;
    }
    for (LeasedMessage earlier : held.lease.messages) {
      if (earlier == held) {
        return false;
      }
      ExpectedOutcome expected = earlier.expected;
      boolean sameCall =
          earlier.call == held.call && model().groupMembers(held.message).contains(earlier.message);
      if (sameCall && expected != null && GroupOrder.blocksGroup(model(), expected)) {
        return true;
      }
    }
    return false;
  }

  @Override
  void drained() {
    for (SimulatedMessage message : model().messages()) {
      boolean ended =
          message.state != SimulatedMessage.State.STAGED
              && (!message.isLive() || message.perhapsCollapsed);
      check(ended, () -> message + " is still " + message.state + " at the end");
    }
  }
}
