package dev.mailroom.internal.engine;

import dev.mailroom.internal.engine.MessageProcessor.Batching;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Does a work: hands its messages to the processor and the outcomes to the settler. In the turn of
 * a group, a message that does not get done holds up those behind it: they are given back together
 * with its outcome.
 */
final class Runner {
  private final ChannelSpec spec;
  private final EngineContext context;
  private final Settler settler;
  private final LeaseBook book;
  private final Appetite appetite;
  private final BooleanSupplier paused;
  private volatile boolean stopping;

  /**
   * A runner for one channel.
   *
   * @param paused whether nothing new is to be started for the time being
   */
  Runner(
      ChannelSpec spec,
      EngineContext context,
      Settler settler,
      LeaseBook book,
      Appetite appetite,
      BooleanSupplier paused) {
    this.spec = spec;
    this.context = context;
    this.settler = settler;
    this.book = book;
    this.appetite = appetite;
    this.paused = paused;
  }

  boolean isStopping() {
    return stopping;
  }

  /** From now on nothing new is started; what was not started is given back. */
  void stopStarting() {
    stopping = true;
  }

  void run(Work work, CallGuard guard) {
    List<Message> rest = work.messages();
    while (!rest.isEmpty()) {
      HeldLease lease = work.lease();
      if (lease.isLost()) {
        book.settled(lease, rest.size()); // somebody else has them
        return;
      }
      if (stopping || paused.getAsBoolean() || lease.hasRunOut(context.time())) {
        release(lease, rest);
        return;
      }
      try {
        guard.under(new HandlerTransaction(spec, context, lease));
        rest = spec.processor().batched() ? runBatch(work, rest, guard) : runOne(work, rest, guard);
      } catch (Throwable error) {
        book.abandon(lease); // no longer extended: it expires and counts as a crash, as it is one
        throw error;
      }
    }
  }

  /** Gives back what was leased but not started. */
  void release(HeldLease lease, List<Message> messages) {
    List<Settlement> settlements = new ArrayList<>(messages.size());
    addReleases(settlements, lease, messages);
    settler.add(lease, settlements);
  }

  private List<Message> runOne(Work work, List<Message> messages, CallGuard guard) {
    Message message = messages.get(0);
    Outcome outcome = spec.processor().handle(message, guard);
    appetite.handled(1);
    if (guard.transaction().isCommitted()) {
      settler.stored(work.lease(), 1);
      return messages.subList(1, messages.size());
    }
    Settlement settlement = new Settlement(message.id(), work.lease().token(), outcome);
    if (messages.size() == 1) {
      settler.add(work.lease(), List.of(settlement));
      return List.of();
    }
    List<Message> behind = messages.subList(1, messages.size());
    if (work.ordered() && Turn.isHeldUpBy(outcome, spec.channel())) {
      List<Settlement> settlements = new ArrayList<>(messages.size());
      settlements.add(settlement);
      addReleases(settlements, work.lease(), behind);
      settler.add(work.lease(), settlements);
      return List.of();
    }
    settler.add(work.lease(), List.of(settlement));
    return behind;
  }

  private List<Message> runBatch(Work work, List<Message> messages, CallGuard guard) {
    boolean mixed = spec.processor().batching() == Batching.MIXED;
    List<Message> batch = mixed ? messages : WorkSplitter.sameContract(messages);
    List<Outcome> outcomes = spec.processor().handleBatch(batch, guard);
    int next = outcomes.size();
    appetite.handled(next);
    if (guard.transaction().isCommitted()) {
      settler.stored(work.lease(), next);
      return messages.subList(next, messages.size());
    }
    List<Settlement> settlements = new ArrayList<>(messages.size());
    boolean heldUp = false;
    for (int i = 0; i < next; i++) {
      Outcome outcome = outcomes.get(i);
      settlements.add(new Settlement(batch.get(i).id(), work.lease().token(), outcome));
      heldUp |= work.ordered() && Turn.isHeldUpBy(outcome, spec.channel());
    }
    if (heldUp) {
      addReleases(settlements, work.lease(), messages.subList(next, messages.size()));
      next = messages.size();
    }
    settler.add(work.lease(), settlements);
    return messages.subList(next, messages.size());
  }

  private void addReleases(List<Settlement> settlements, HeldLease lease, List<Message> messages) {
    if (!messages.isEmpty()) {
      context.telemetry().count(Telemetry.Counter.RELEASED, spec.tags(), messages.size());
    }
    for (Message message : messages) {
      settlements.add(new Settlement(message.id(), lease.token(), Outcome.Released.INSTANCE));
    }
  }
}
