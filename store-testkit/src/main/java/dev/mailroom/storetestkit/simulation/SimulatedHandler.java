package dev.mailroom.storetestkit.simulation;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.storetestkit.simulation.HandlerBehaviour.Reaction;
import dev.mailroom.storetestkit.simulation.LeasedMessage.ExpectedOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The handlers of one worker; the message's behaviour decides what they do. */
final class SimulatedHandler {
  private final SimulatedCluster cluster;
  private final Worker worker;

  SimulatedHandler(SimulatedCluster cluster, Worker worker) {
    this.cluster = cluster;
    this.worker = worker;
  }

  Result handle(Delivery<?> delivery) {
    return result(call(List.of(delivery)).get(0));
  }

  <T> BatchResult handleBatch(Batch<T> batch) {
    List<Reaction> reactions = call(batch.deliveries());
    if (reactions.stream().allMatch(reaction -> reaction == Reaction.SUCCEED)
        && cluster.random.nextBoolean()) {
      return batch.allSucceeded();
    }
    BatchResult results = batch.results();
    for (int i = 0; i < reactions.size(); i++) {
      if (reactions.get(i) != Reaction.LEAVE_OUT) {
        results.add(batch.deliveries().get(i), result(reactions.get(i)));
      }
    }
    return results;
  }

  private Result result(Reaction reaction) {
    return switch (reaction) {
      case SUCCEED -> Result.success();
      case DEFER -> Result.retryLater(Duration.ofMillis(cluster.random.nextInt(3_000)));
      case DEAD_LETTER -> Result.deadLetter("simulated");
      default -> Result.fail("simulated");
    };
  }

  private List<Reaction> call(List<? extends Delivery<?>> deliveries) {
    worker.process.requireAlive();
    List<LeasedMessage> call = new ArrayList<>();
    deliveries.forEach(delivery -> call.add(cluster.model.leased(delivery.message())));
    start(call);
    cluster.whileHandling(worker);
    worker.process.requireAlive();
    for (int i = 0; i < call.size(); i++) {
      if (deliveries.get(i).isLeaseLost() && call.get(i).open) {
        String what = "a handler sees " + call.get(i) + " as lost, but it is held";
        throw cluster.model.failure(Invariant.ONE_LEASE_HOLDER, what, null);
      }
    }
    List<Reaction> reactions = new ArrayList<>();
    call.forEach(leased -> reactions.add(leased.message.behaviour.at(leased.message.calls)));
    crashIfDue(reactions);
    return expectOutcomes(call, reactions);
  }

  private void start(List<LeasedMessage> call) {
    cluster.model.note(worker.process.name + " handles " + call);
    cluster.model.checkers.forEach(checker -> checker.started(call));
    long number = cluster.model.moment();
    for (LeasedMessage leased : call) {
      leased.call = number;
      leased.message.starts++;
      leased.message.calls++;
    }
  }

  private void crashIfDue(List<Reaction> reactions) {
    if (reactions.contains(Reaction.CRASH)) {
      cluster.plan.count(Fault.CRASH);
    } else if (cluster.random.nextInt(80) != 0 || !cluster.plan.spend(Fault.CRASH)) {
      return;
    }
    cluster.model.note(worker.process.name + " dies in its handler");
    throw worker.process.die();
  }

  /** An exception is the result of the whole batch. */
  private List<Reaction> expectOutcomes(List<LeasedMessage> call, List<Reaction> reactions) {
    for (Reaction reaction : reactions) {
      if (reaction == Reaction.THROW || reaction == Reaction.THROW_PERMANENTLY) {
        call.forEach(leased -> leased.expected = expected(leased, reaction));
        throw reaction == Reaction.THROW ? new TransientFailure() : new PermanentFailure();
      }
    }
    for (int i = 0; i < call.size(); i++) {
      call.get(i).expected = expected(call.get(i), reactions.get(i));
    }
    return reactions;
  }

  private ExpectedOutcome expected(LeasedMessage leased, Reaction reaction) {
    SeededInboxOptions seeded = cluster.model.seeded;
    return switch (reaction) {
      case SUCCEED -> ExpectedOutcome.COMPLETE;
      case THROW_PERMANENTLY, DEAD_LETTER -> ExpectedOutcome.DIE;
      case DEFER ->
          leased.stored.progress().deferrals() < seeded.deferrals()
              ? ExpectedOutcome.DEFER
              : ExpectedOutcome.DIE;
      default ->
          leased.stored.progress().attempts() < seeded.attempts()
              ? ExpectedOutcome.RETRY
              : ExpectedOutcome.DIE;
    };
  }
}
