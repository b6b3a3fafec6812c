package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Three processes do at random what processes do to one recurring command: register it in several
 * ways, run it step by step, fail, lose the store for a moment, die. After each step it is looked
 * whether there is one chain, and in the end whether each run whose time has come was run.
 */
class RecurringSimulationTest {
  private static final int SEEDS = Integer.getInteger("mailroom.simulation.seeds", 100);
  private static final int STEPS = 80;
  private static final List<RecurringCommand> WAYS =
      List.of(
          way("a", Recurrence.every(Duration.ofHours(1)), MissedRuns.SKIP),
          way("b", Recurrence.every(Duration.ofHours(1)), MissedRuns.CATCH_UP),
          way("a", Recurrence.every(Duration.ofMinutes(20)), MissedRuns.CATCH_UP),
          way("a", Recurrence.cron("*/30 * * * *", "Europe/Berlin"), MissedRuns.SKIP));

  private static RecurringCommand way(String account, Recurrence recurrence, MissedRuns missed) {
    return RecurringCommand.of("pay", new Pay(account), recurrence).withMissed(missed);
  }

  @Test
  void there_is_one_chain_and_each_run_comes() {
    Long replayed = Long.getLong("mailroom.simulation.seed");
    if (replayed != null) {
      new Simulation(replayed).run();
      return;
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      new Simulation(seed).run();
    }
  }

  private static final class Simulation {
    private final long seed;
    private final Random random;
    private final Bank bank = new Bank();
    private final Set<UUID> ran = new HashSet<>();
    private final Set<UUID> owed = new HashSet<>();
    private final Node[] nodes = {node(), node(), node()};

    Simulation(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    private Node node() {
      return bank.node(
          mediator -> mediator.command(Pay.class, this::pay),
          options ->
              options
                  .crashes(1_000, Backoff.fixed(Duration.ofSeconds(1)))
                  .retry(RetryPolicy.builder().attempts(1_000).deferrals(1_000).build()));
    }

    private void pay(Command command, ExecutionContext context) {
      if (random.nextInt(4) == 0) {
        throw new IllegalStateException("not this time");
      }
      ran.add(Objects.requireNonNull(context.durable()).messageId());
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        String what = step();
        checkChain(what, step);
      }
      bank.failing().beforeNextCommit(() -> {});
      bank.failing().afterNextCommit(() -> {});
      for (int i = 0; i < 500 && !ran.containsAll(owed); i++) {
        bank.pass(Duration.ofMinutes(2));
        nodes[0].engine.reclaim();
        nodes[0].run();
      }
      assertThat(ran).as("seed %d: each run whose time had come", seed).containsAll(owed);
    }

    private String step() {
      int which = random.nextInt(nodes.length);
      Node node = nodes[which];
      switch (random.nextInt(14)) {
        case 0, 1 -> attempt(() -> node.recurring().register(way()));
        case 2 -> withdraw(() -> node.recurring().pause("pay"));
        case 3 -> attempt(() -> node.recurring().resume("pay"));
        case 4 -> withdraw(() -> node.recurring().remove("pay"));
        case 5, 6 -> node.engine.fetch();
        case 7, 8 -> node.engine.handle();
        case 9 -> node.engine.settle();
        case 10 -> node.engine.reclaim();
        case 11 -> nodes[which] = node();
        case 12 -> failing();
        default -> bank.pass(Duration.ofMinutes(random.nextInt(40)));
      }
      return "process " + which;
    }

    private RecurringCommand way() {
      return WAYS.get(random.nextInt(WAYS.size()));
    }

    private void failing() {
      Runnable lost =
          () -> {
            throw FailingStore.failure();
          };
      if (random.nextBoolean()) {
        bank.failing().beforeNextCommit(lost);
      } else {
        bank.failing().afterNextCommit(lost);
      }
    }

    /** The store may fail, and there may be nothing of that name. */
    private void attempt(Runnable action) {
      try {
        action.run();
      } catch (TransientStoreException | IllegalArgumentException expected) {
        assertThat(expected).isNotNull();
      }
    }

    /** A run that is withdrawn before it has begun is not expected any more. */
    private void withdraw(Runnable action) {
      Set<UUID> taken = ids();
      attempt(action);
      taken.removeAll(ids());
      owed.removeAll(taken);
    }

    private static UUID id(InspectedMessage found) {
      return found.message().id();
    }

    private Set<UUID> ids() {
      return waiting().stream().map(Simulation::id).collect(Collectors.toSet());
    }

    private List<InspectedMessage> waiting() {
      return nodes[0].waiting();
    }

    private void checkChain(String what, int step) {
      RecurringStatus status = nodes[0].recurring().find("pay").orElse(null);
      Instant next = status == null ? null : status.nextRun();
      int pending = 0;
      for (InspectedMessage found : waiting()) {
        Instant time =
            Instant.parse(found.message().envelope().headers().get("mailroom-recurring-time"));
        if (!time.isAfter(bank.time.now())) {
          owed.add(id(found));
        } else {
          assertThat(time)
              .as("seed %d, step %d, %s: only one run is to come", seed, step, what)
              .isEqualTo(next);
          pending++;
        }
      }
      if (next != null && next.isAfter(bank.time.now())) {
        assertThat(pending).as("seed %d, step %d, %s: it waits", seed, step, what).isEqualTo(1);
      } else {
        assertThat(pending).as("seed %d, step %d, %s: none waits", seed, step, what).isZero();
      }
    }
  }
}
