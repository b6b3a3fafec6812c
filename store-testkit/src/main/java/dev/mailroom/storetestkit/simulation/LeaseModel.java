package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Updates the model after claims, extensions, releases, reclaims and settlements. */
final class LeaseModel {
  private final StoreModel model;
  private int leasedOnAppend;

  LeaseModel(StoreModel model) {
    this.model = model;
  }

  void claimed(LeaseRequest request, Claim claim) {
    for (DeadLetter letter : claim.deadLettered()) {
      SimulatedMessage message = model.message(letter.id());
      model.note(message + " is dead-lettered at the claim: " + letter.error().type());
      model.checkers.forEach(checker -> checker.died(message));
      die(message);
    }
    Lease lease = claim.lease();
    if (lease != null) {
      leased(request, lease);
    }
  }

  /** An append leased its messages, or none of them. */
  void leasedOnAppend(LeaseRequest request, @Nullable Lease lease) {
    if (lease != null) {
      leased(request, lease);
      leasedOnAppend += lease.messages().size();
    }
  }

  /** How many messages were leased as they were appended. */
  int leasedOnAppend() {
    return leasedOnAppend;
  }

  private void leased(LeaseRequest request, Lease lease) {
    int number = model.leaseCount() + 1;
    SimulatedLease own =
        new SimulatedLease(
            number, lease.token(), request.worker(), model.after(request.duration()));
    for (Message stored : lease.messages()) {
      own.messages.add(new LeasedMessage(own, model.message(stored.id()), stored));
    }
    model.note(request.worker() + " leased " + own + " " + messagesOf(own));
    model.checkers.forEach(checker -> checker.leased(own, request));
    long moment = model.moment();
    for (LeasedMessage leased : own.messages) {
      SimulatedMessage message = leased.message;
      message.leased = leased;
      message.attempts++;
      message.perhapsCollapsed = false;
      if (!message.position.isAssigned()) {
        message.position = message.position.assigned(moment, model.now());
      }
    }
    model.add(own);
    model.changed();
  }

  private static List<SimulatedMessage> messagesOf(SimulatedLease lease) {
    return lease.messages.stream().map(leased -> leased.message).toList();
  }

  void extended(Set<UUID> tokens, Duration duration, Set<UUID> lost) {
    for (UUID token : tokens) {
      SimulatedLease lease = require(token);
      boolean refused = lost.contains(token);
      model.note("extend " + lease + (refused ? ": lost" : ""));
      model.checkers.forEach(checker -> checker.extended(lease, refused));
      if (!refused) {
        lease.until = model.after(duration);
      }
    }
  }

  private SimulatedLease require(UUID token) {
    SimulatedLease lease = model.lease(token);
    if (lease == null) {
      throw model.failure(Invariant.ONE_LEASE_HOLDER, "no claim returned the token " + token, null);
    }
    return lease;
  }

  void released(Set<UUID> tokens, int count) {
    int held = 0;
    for (UUID token : tokens) {
      for (LeasedMessage leased : require(token).messages) {
        if (leased.open) {
          held++;
          model.note("release " + leased);
          release(leased);
        }
      }
    }
    if (held != count) {
      String what = count + " messages were released, but " + held + " were held";
      throw model.failure(Invariant.ONE_LEASE_HOLDER, what, null);
    }
    model.changed();
  }

  /** Whether a lease ends at this very instant, at which a store may reclaim it or not. */
  boolean anyExpiresNow() {
    return model.openLeases().stream().anyMatch(lease -> lease.until == model.now());
  }

  void reclaimed(int count) {
    List<SimulatedLease> expired =
        model.openLeases().stream().filter(lease -> lease.until < model.now()).toList();
    if (count != expired.size()) {
      String what = count + " leases were reclaimed, but these have expired: " + expired;
      throw model.failure(Invariant.ONE_LEASE_HOLDER, what, null);
    }
    for (SimulatedLease lease : expired) {
      model.note("reclaim " + lease + " of " + lease.worker);
      reclaim(lease);
      model.changed();
    }
  }

  /** Only the first message of a group counts the crash: the others were not handled yet. */
  private void reclaim(SimulatedLease lease) {
    Set<String> crashedGroups = new HashSet<>();
    for (LeasedMessage leased : lease.messages) {
      SimulatedMessage message = leased.message;
      if (!leased.open) {
        continue;
      }
      String group = model.groupOf(message);
      if (group != null && !crashedGroups.add(group)) {
        release(leased);
      } else {
        leased.close();
        message.attempts--;
        message.crashes++;
        message.notBefore = model.after(model.seeded.crashDelay(message.crashes));
      }
    }
  }

  private void release(LeasedMessage leased) {
    SimulatedMessage message = leased.message;
    leased.close();
    message.attempts--;
    message.notBefore = model.now();
    if (leased.isStarted()) {
      message.uncounted++;
    }
  }

  void settled(List<Settlement> settlements, Set<UUID> lost) {
    Set<UUID> seen = new HashSet<>();
    for (Settlement settlement : settlements) {
      SimulatedMessage message = model.message(settlement.id());
      if (!seen.add(message.id)) {
        throw model.failure(
            Invariant.NO_UNEXPECTED_EXCEPTION, message + " was settled twice in one call", null);
      }
      LeasedMessage held = heldUnder(message, settlement.token());
      boolean refused = lost.contains(message.id);
      String outcome = settlement.outcome().getClass().getSimpleName();
      model.note(
          "settle "
              + message
              + "/"
              + model.lease(settlement.token())
              + " "
              + outcome
              + (refused ? ": lost" : ""));
      model.checkers.forEach(checker -> checker.settled(settlement, held, refused));
      if (held != null) {
        apply(held, settlement.outcome());
        model.changed();
      }
    }
  }

  private static @Nullable LeasedMessage heldUnder(SimulatedMessage message, UUID token) {
    LeasedMessage leased = message.leased;
    return leased != null && leased.lease.token.equals(token) ? leased : null;
  }

  private void apply(LeasedMessage leased, Outcome outcome) {
    SimulatedMessage message = leased.message;
    if (outcome instanceof Outcome.Released) {
      release(leased);
      return;
    }
    leased.close();
    if (outcome instanceof Outcome.Completed) {
      message.state = State.COMPLETED;
    } else if (outcome instanceof Outcome.Retried retried) {
      message.notBefore = model.after(retried.delay());
      if (retried.counts() == Outcome.Counts.DEFERRAL) {
        message.attempts--;
        message.deferrals++;
      }
    } else {
      die(message);
    }
  }

  private void die(SimulatedMessage message) {
    message.state = model.seeded.deadLetters() ? State.DEAD : State.DISCARDED;
    message.deadLetteredAt = model.now();
    message.perhapsCollapsed = false;
    model.changed();
  }
}
