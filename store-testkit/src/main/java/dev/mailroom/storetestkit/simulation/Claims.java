package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.Fate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the model makes of leases and of what becomes of leased messages. */
final class Claims {
  private final Model model;
  private int arrived;

  Claims(Model model) {
    this.model = model;
  }

  void claimed(LeaseRequest request, Claim claim) {
    for (DeadLetter letter : claim.died()) {
      SimulatedMessage message = model.message(letter.id());
      model.note(message + " died at the claim: " + letter.error().type());
      model.checkers.forEach(checker -> checker.died(message));
      die(message);
    }
    Lease lease = claim.lease();
    if (lease != null) {
      leased(request, lease);
    }
  }

  /** What was written a moment ago came leased, or nothing of it did. */
  void arrived(LeaseRequest request, @Nullable Lease lease) {
    if (lease != null) {
      leased(request, lease);
      arrived += lease.messages().size();
    }
  }

  /** How many messages came leased. */
  int arrived() {
    return arrived;
  }

  private void leased(LeaseRequest request, Lease lease) {
    int number = model.leaseCount() + 1;
    SimulatedLease own =
        new SimulatedLease(
            number, lease.token(), request.worker(), model.after(request.duration()));
    for (Message stored : lease.messages()) {
      own.holdings.add(new Holding(own, model.message(stored.id()), stored));
    }
    model.note(request.worker() + " leased " + own + " " + messagesOf(own));
    model.checkers.forEach(checker -> checker.leased(own, request));
    long moment = model.moment();
    for (Holding holding : own.holdings) {
      SimulatedMessage message = holding.message;
      message.holding = holding;
      message.attempts++;
      message.perhapsCollapsed = false;
      if (!message.place.isTaken()) {
        message.place = message.place.taken(moment, model.now());
      }
    }
    model.add(own);
    model.changed();
  }

  private static List<SimulatedMessage> messagesOf(SimulatedLease lease) {
    return lease.holdings.stream().map(holding -> holding.message).toList();
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
      throw model.failure(Invariant.ONE_HOLDER, "nobody ever had the token " + token, null);
    }
    return lease;
  }

  void released(Set<UUID> tokens, int count) {
    int held = 0;
    for (UUID token : tokens) {
      for (Holding holding : require(token).holdings) {
        if (holding.open) {
          held++;
          model.note("release " + holding);
          giveBack(holding);
        }
      }
    }
    if (held != count) {
      String what = count + " messages were released, but " + held + " were held";
      throw model.failure(Invariant.ONE_HOLDER, what, null);
    }
    model.changed();
  }

  /** Whether some lease ends at this very instant: has it expired? A store may say either. */
  boolean someEndsNow() {
    return model.openLeases().stream().anyMatch(lease -> lease.until == model.now());
  }

  void reclaimed(int count) {
    List<SimulatedLease> expired =
        model.openLeases().stream().filter(lease -> lease.until < model.now()).toList();
    if (count != expired.size()) {
      String what = count + " leases were reclaimed, but these have expired: " + expired;
      throw model.failure(Invariant.ONE_HOLDER, what, null);
    }
    for (SimulatedLease lease : expired) {
      model.note("reclaim " + lease + " of " + lease.worker);
      reclaim(lease);
      model.changed();
    }
  }

  /** Of a group only the first is blamed: the others were not handled yet. */
  private void reclaim(SimulatedLease lease) {
    Set<String> blamed = new HashSet<>();
    for (Holding holding : lease.holdings) {
      SimulatedMessage message = holding.message;
      if (!holding.open) {
        continue;
      }
      String group = model.groupOf(message);
      if (group != null && !blamed.add(group)) {
        giveBack(holding);
      } else {
        holding.close();
        message.attempts--;
        message.crashes++;
        message.notBefore = model.after(model.tuning.crashDelay(message.crashes));
      }
    }
  }

  private void giveBack(Holding holding) {
    SimulatedMessage message = holding.message;
    holding.close();
    message.attempts--;
    message.notBefore = model.now();
    if (holding.isStarted()) {
      message.uncounted++;
    }
  }

  void settled(List<Settlement> settlements, Set<UUID> lost) {
    Set<UUID> seen = new HashSet<>();
    for (Settlement settlement : settlements) {
      SimulatedMessage message = model.message(settlement.id());
      if (!seen.add(message.id)) {
        throw model.failure(
            Invariant.NO_SURPRISE, message + " was settled twice in one call", null);
      }
      Holding held = heldUnder(message, settlement.token());
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

  private static @Nullable Holding heldUnder(SimulatedMessage message, UUID token) {
    Holding holding = message.holding;
    return holding != null && holding.lease.token.equals(token) ? holding : null;
  }

  private void apply(Holding holding, Outcome outcome) {
    SimulatedMessage message = holding.message;
    if (outcome instanceof Outcome.Released) {
      giveBack(holding);
      return;
    }
    holding.close();
    if (outcome instanceof Outcome.Completed) {
      message.fate = Fate.COMPLETED;
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
    message.fate = model.tuning.deadLetters() ? Fate.DEAD : Fate.DISCARDED;
    message.deadLetteredAt = model.now();
    message.perhapsCollapsed = false;
    model.changed();
  }
}
