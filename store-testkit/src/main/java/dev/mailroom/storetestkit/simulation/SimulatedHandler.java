package dev.mailroom.storetestkit.simulation;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.storetestkit.simulation.Behaviour.Reaction;
import dev.mailroom.storetestkit.simulation.Holding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The handlers of one worker: each message says what they do. */
final class SimulatedHandler {
  private final World world;
  private final Worker worker;

  SimulatedHandler(World world, Worker worker) {
    this.world = world;
    this.worker = worker;
  }

  Result handle(Delivery<?> delivery) {
    return result(call(List.of(delivery)).get(0));
  }

  <T> BatchResult handleBatch(Batch<T> batch) {
    List<Reaction> reactions = call(batch.deliveries());
    if (reactions.stream().allMatch(reaction -> reaction == Reaction.SUCCEED)
        && world.random.nextBoolean()) {
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
      case DEFER -> Result.retryLater(Duration.ofMillis(world.random.nextInt(3_000)));
      case DEAD_LETTER -> Result.deadLetter("simulated");
      default -> Result.fail("simulated");
    };
  }

  private List<Reaction> call(List<? extends Delivery<?>> deliveries) {
    worker.process.requireAlive();
    List<Holding> call = new ArrayList<>();
    deliveries.forEach(delivery -> call.add(world.model.holding(delivery.message())));
    start(call);
    world.whileHandling(worker);
    worker.process.requireAlive();
    for (int i = 0; i < call.size(); i++) {
      if (deliveries.get(i).isLeaseLost() && call.get(i).open) {
        String what = "a handler was told that " + call.get(i) + " is lost, but it is held";
        throw world.model.failure(Invariant.ONE_HOLDER, what, null);
      }
    }
    List<Reaction> reactions = new ArrayList<>();
    call.forEach(holding -> reactions.add(holding.message.behaviour.at(holding.message.calls)));
    dieIfAsked(reactions);
    return judge(call, reactions);
  }

  private void start(List<Holding> call) {
    world.model.note(worker.process.name + " handles " + call);
    world.model.checkers.forEach(checker -> checker.started(call));
    long number = world.model.moment();
    for (Holding holding : call) {
      holding.call = number;
      holding.message.starts++;
      holding.message.calls++;
    }
  }

  private void dieIfAsked(List<Reaction> reactions) {
    if (reactions.contains(Reaction.CRASH)) {
      world.plan.count(Fault.CRASH);
    } else if (world.random.nextInt(80) != 0 || !world.plan.spend(Fault.CRASH)) {
      return;
    }
    world.model.note(worker.process.name + " dies in its handler");
    throw worker.process.die();
  }

  /** A throw is the answer for the whole batch. */
  private List<Reaction> judge(List<Holding> call, List<Reaction> reactions) {
    for (Reaction reaction : reactions) {
      if (reaction == Reaction.THROW || reaction == Reaction.THROW_PERMANENTLY) {
        call.forEach(holding -> holding.verdict = verdict(holding, reaction));
        throw reaction == Reaction.THROW ? new PassingFailure() : new PermanentFailure();
      }
    }
    for (int i = 0; i < call.size(); i++) {
      call.get(i).verdict = verdict(call.get(i), reactions.get(i));
    }
    return reactions;
  }

  private Verdict verdict(Holding holding, Reaction reaction) {
    Tuning tuning = world.model.tuning;
    return switch (reaction) {
      case SUCCEED -> Verdict.COMPLETE;
      case THROW_PERMANENTLY, DEAD_LETTER -> Verdict.DIE;
      case DEFER ->
          holding.stored.progress().deferrals() < tuning.deferrals() ? Verdict.DEFER : Verdict.DIE;
      default ->
          holding.stored.progress().attempts() < tuning.attempts() ? Verdict.RETRY : Verdict.DIE;
    };
  }
}
