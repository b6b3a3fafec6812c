package dev.mailroom.commands;

import dev.mailroom.Delivery;
import dev.mailroom.commands.OptimisticUpdate.Change;
import dev.mailroom.commands.StoredRecurring.Pending;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.spi.MessageChannel;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the runs of each recurring command one chain.
 *
 * <p>A run is a scheduled command like any other. The state under the recurring command's name says
 * which message is the <em>pending</em> run. When a message begins to run, its handler checks
 * whether it is the pending one. If so, the handler stores the next run's message and makes it the
 * pending one, in one commit that expects the state as it was read. The pending message may be
 * handled more than once, after a crash or concurrently after a lost lease, but exactly one worker
 * stores a successor: for the others the state has changed, or the message is no longer the pending
 * one.
 *
 * <p>This comes before the command itself, so a command that fails, is dead-lettered or kills its
 * process never ends the chain. And nothing completes the pending message before it has a
 * successor, so a process that is killed at any point leaves either the pending message or its
 * successor. Registering, changing, pausing and removing use the same kind of commit. Removal
 * leaves a tombstone, because versions must not start at 1 again while a process may still hold an
 * old one.
 */
final class RunChain {
  private static final String NAME = "mailroom-recurring";
  private static final String TIME = "mailroom-recurring-time";

  private final MessageChannel channel;

  RunChain(MessageChannel channel) {
    this.channel = channel;
  }

  @Nullable StoredRecurring find(String name) {
    StoredState stored = channel.state(key(name));
    return stored == null ? null : RecurringFormat.decode(stored.value());
  }

  private StateKey key(String name) {
    return new StateKey("mailroom.recurring:" + channel.name(), name);
  }

  /**
   * Stores what was registered. The same as before only makes sure that its run waits. Something
   * else replaces a run that is still to come; one whose time has come is left to run.
   */
  void register(String name, StoredRecurring wanted, Instant now) {
    for (Receipt receipt : change(name, stored -> registered(name, stored, wanted, now))) {
      if (receipt.isDuplicate()) {
        // It is stored. If it was dead-lettered before it had a successor, redrive it.
        channel.deadLetters().redrive(receipt.messageId());
      }
    }
  }

  private Change registered(
      String name, @Nullable StoredRecurring stored, StoredRecurring wanted, Instant now) {
    if (stored == null) {
      return storing(name, begun(wanted, now), null);
    }
    Pending pending = stored.pending();
    if (pending == null || wanted.with(pending).equals(stored)) {
      return storing(name, wanted.with(pending), null);
    }
    boolean overdue = pending.isOverdue(now);
    Instant next = overdue ? wanted.timeAfter(pending, now) : pending.time();
    if (!wanted.recurrence().equals(stored.recurrence())) {
      next = wanted.recurrence().first(now);
    }
    return storing(name, wanted.with(runAt(next)), overdue ? null : pending);
  }

  private StoredRecurring begun(StoredRecurring wanted, Instant now) {
    return wanted.with(runAt(wanted.recurrence().first(now)));
  }

  private Pending runAt(Instant time) {
    return new Pending(channel.newMessageId(), time);
  }

  /** Removes the waiting run, unless it has begun. */
  void pause(String name) {
    change(
        name,
        stored -> {
          Pending pending = required(name, stored).pending();
          return pending == null ? null : storing(name, stored.with(null), pending);
        });
  }

  /** Starts again with the first time from now on. */
  void resume(String name, Instant now) {
    change(
        name,
        stored ->
            required(name, stored).pending() == null
                ? storing(name, begun(stored, now), null)
                : null);
  }

  /** Removes it and its waiting run, unless that has begun. */
  boolean remove(String name) {
    boolean there = find(name) != null;
    change(
        name,
        stored -> {
          if (stored == null) {
            return null;
          }
          Pending pending = stored.pending();
          List<UUID> cancels = pending == null ? List.of() : List.of(pending.id());
          return new Change(RecurringFormat.REMOVED, List.of(), cancels);
        });
    return there;
  }

  /**
   * How a command begins to run.
   *
   * @param run which run of a recurring command it is; null if the command does not recur
   * @param isReplaced another run was registered for its time before it began, and runs instead
   */
  record RunStart(@Nullable RecurringRun run, boolean isReplaced) {
    private static final RunStart NOT_RECURRING = new RunStart(null, false);
  }

  /** A command begins to run: if it is the pending run of a recurring one, the next is stored. */
  RunStart begin(Delivery<?> delivery) {
    String name = delivery.headers().get(NAME);
    if (name == null) {
      return RunStart.NOT_RECURRING;
    }
    RecurringRun run = new RecurringRun(name, Instant.parse(delivery.headers().get(TIME)));
    AtomicBoolean replaced = new AtomicBoolean();
    change(
        name,
        stored -> {
          Pending pending = stored == null ? null : stored.pending();
          replaced.set(false);
          if (pending == null) {
            return null;
          }
          if (!pending.id().equals(delivery.id())) {
            // Replaced by a process whose clock was behind the time of this run.
            replaced.set(pending.time().equals(run.time()));
            return null;
          }
          Instant next = stored.timeAfter(pending, delivery.leasedAt());
          return storing(name, stored.with(runAt(next)), null);
        });
    return new RunStart(run, replaced.get());
  }

  private List<Receipt> change(
      String name, Function<@Nullable StoredRecurring, @Nullable Change> decision) {
    return OptimisticUpdate.change(
        channel, key(name), payload -> decision.apply(RecurringFormat.decode(payload)));
  }

  private static Change storing(String name, StoredRecurring next, @Nullable Pending cancelled) {
    Pending pending = next.pending();
    return new Change(
        RecurringFormat.encode(next),
        pending == null ? List.of() : List.of(run(name, next, pending)),
        cancelled == null ? List.of() : List.of(cancelled.id()));
  }

  private static Outgoing run(String name, StoredRecurring recurring, Pending pending) {
    return Outgoing.of(
        recurring.command(),
        options ->
            options
                .messageId(pending.id())
                .visibleAfter(pending.time())
                .tenant(recurring.tenant())
                .groupKey(recurring.groupKey())
                .header(NAME, name)
                .header(TIME, pending.time().toString()));
  }

  private static StoredRecurring required(String name, @Nullable StoredRecurring stored) {
    if (stored == null) {
      throw new IllegalArgumentException(
          "There is no recurring command named '" + name + "': list() says which there are.");
    }
    return stored;
  }
}
