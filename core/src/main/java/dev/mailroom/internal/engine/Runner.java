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
 * Runs a work item: passes its messages to the processor and the outcomes to the settler. Within a
 * group, a message that is not completed blocks its successors: they are released together with its
 * outcome.
 */
final class Runner {
  private final ChannelSpec spec;
  private final EngineContext context;
  private final Settler settler;
  private final HeldLeases heldLeases;
  private final PrefetchWindow window;
  private final BooleanSupplier paused;
  private volatile boolean stopping;

  /**
   * A runner for one channel.
   *
   * @param paused whether the channel is paused, so that no message is started
   */
  Runner(
      ChannelSpec spec,
      EngineContext context,
      Settler settler,
      HeldLeases heldLeases,
      PrefetchWindow window,
      BooleanSupplier paused) {
    this.spec = spec;
    this.context = context;
    this.settler = settler;
    this.heldLeases = heldLeases;
    this.window = window;
    this.paused = paused;
  }

  boolean isStopping() {
    return stopping;
  }

  /** From now on no message is started; messages that were not started are released. */
  void stopStarting() {
    stopping = true;
  }

  void run(WorkItem work, InterruptibleInvocation invocation) {
    List<Message> rest = work.messages();
    while (!rest.isEmpty()) {
      HeldLease lease = work.lease();
      if (lease.isLost()) {
        heldLeases.settled(lease, rest.size()); // another worker has them
        return;
      }
      if (stopping || paused.getAsBoolean() || lease.hasRunOut(context.time())) {
        release(lease, rest);
        return;
      }
      try {
        invocation.useTransaction(new HandlerTransaction(spec, context, lease));
        rest =
            spec.processor().batched()
                ? runBatch(work, rest, invocation)
                : runOne(work, rest, invocation);
      } catch (Throwable error) {
        heldLeases.abandon(lease); // no longer extended: it expires and counts as a crash
        throw error;
      }
    }
  }

  /** Releases messages that were leased but not started. */
  void release(HeldLease lease, List<Message> messages) {
    List<Settlement> settlements = new ArrayList<>(messages.size());
    addReleases(settlements, lease, messages);
    settler.add(lease, settlements);
  }

  private List<Message> runOne(
      WorkItem work, List<Message> messages, InterruptibleInvocation invocation) {
    Message message = messages.get(0);
    Outcome outcome = spec.processor().handle(message, invocation);
    window.handled(1);
    if (invocation.transaction().isCommitted()) {
      settler.stored(work.lease(), 1);
      return messages.subList(1, messages.size());
    }
    Settlement settlement = new Settlement(message.id(), work.lease().token(), outcome);
    if (messages.size() == 1) {
      settler.add(work.lease(), List.of(settlement));
      return List.of();
    }
    List<Message> behind = messages.subList(1, messages.size());
    if (work.ordered() && GroupBlocking.isBlockedBy(outcome, spec.channel())) {
      List<Settlement> settlements = new ArrayList<>(messages.size());
      settlements.add(settlement);
      addReleases(settlements, work.lease(), behind);
      settler.add(work.lease(), settlements);
      return List.of();
    }
    settler.add(work.lease(), List.of(settlement));
    return behind;
  }

  private List<Message> runBatch(
      WorkItem work, List<Message> messages, InterruptibleInvocation invocation) {
    boolean mixed = spec.processor().batching() == Batching.MIXED;
    List<Message> batch = mixed ? messages : WorkSplitter.sameContract(messages);
    List<Outcome> outcomes = spec.processor().handleBatch(batch, invocation);
    int next = outcomes.size();
    window.handled(next);
    if (invocation.transaction().isCommitted()) {
      settler.stored(work.lease(), next);
      return messages.subList(next, messages.size());
    }
    List<Settlement> settlements = new ArrayList<>(messages.size());
    boolean blocked = false;
    for (int i = 0; i < next; i++) {
      Outcome outcome = outcomes.get(i);
      settlements.add(new Settlement(batch.get(i).id(), work.lease().token(), outcome));
      blocked |= work.ordered() && GroupBlocking.isBlockedBy(outcome, spec.channel());
    }
    if (blocked) {
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
