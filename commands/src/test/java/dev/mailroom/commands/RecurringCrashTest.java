package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whenever a process is killed or loses its store, each run comes, and there is one chain. */
abstract class RecurringCrashTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final RecurringCommand PAY =
      RecurringCommand.of("pay", new Pay("a"), Recurrence.every(HOUR));
  private static final RecurringCommand NIGHTLY =
      RecurringCommand.of("pay", new Pay("b"), Recurrence.cron("0 3 * * *", "UTC"));

  private final List<Instant> runs = new ArrayList<>();
  private Bank bank;
  private FailingStore failing;
  private Node node;

  /** The process is gone; nothing it does after this counts. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** The bank's store, with failing. */
  abstract Bank open();

  @BeforeEach
  void begin() {
    bank = open();
    failing = bank.failing();
    node = noting();
  }

  private Node noting() {
    return bank.node(
        (command, context) ->
            runs.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time()));
  }

  private static Instant at(int hours) {
    return ManualTime.START.plus(HOUR.multipliedBy(hours));
  }

  private static void die() {
    throw new Killed();
  }

  /** Where a process that is running a command can be killed. */
  enum Moment {
    LEASED,
    BEFORE_THE_NEXT_RUN_IS_STORED,
    AFTER_THE_NEXT_RUN_IS_STORED,
    IN_THE_COMMAND,
    BEFORE_THE_COMMAND_IS_SETTLED
  }

  /** A process takes a run and is killed: its engine is never asked again. */
  private void beKilled(Moment moment) {
    Node killed =
        moment == Moment.IN_THE_COMMAND ? bank.node((command, context) -> die()) : noting();
    killed.engine.fetch();
    switch (moment) {
      case BEFORE_THE_NEXT_RUN_IS_STORED -> failing.beforeNextCommit(RecurringCrashTest::die);
      case AFTER_THE_NEXT_RUN_IS_STORED -> failing.afterNextCommit(RecurringCrashTest::die);
      default -> {}
    }
    if (moment != Moment.LEASED) {
      assertThat(killed.engine.handle()).as("it had leased the run").isTrue();
    }
  }

  /** Time passes for leases to expire and back-offs to end. */
  private void recover() {
    for (int i = 0; i < 10; i++) {
      bank.pass(Duration.ofMinutes(2));
      node.engine.reclaim();
      node.run();
    }
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void a_process_is_killed(Moment moment) {
    node.recurring().register(PAY);
    bank.pass(HOUR);

    beKilled(moment);
    recover();

    assertThat(runs)
        .as("at least once; twice only if the first time was not known of")
        .hasSize(moment == Moment.BEFORE_THE_COMMAND_IS_SETTLED ? 2 : 1)
        .containsOnly(at(1));
    assertThat(node.due()).as("one chain").containsExactly(at(2));
    runs.clear();
    for (int i = 0; i < 3; i++) {
      bank.pass(HOUR);
      node.run();
    }
    assertThat(runs).as("and it goes on").containsExactly(at(2), at(3), at(4));
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void one_process_after_the_other_is_killed(Moment moment) {
    node.recurring().register(PAY.withMissed(MissedRuns.CATCH_UP));
    bank.pass(HOUR);

    for (int i = 0; i < 3; i++) {
      beKilled(moment);
      bank.pass(Duration.ofMinutes(5));
      node.engine.reclaim();
      bank.pass(Duration.ofMinutes(5));
    }
    recover();

    assertThat(runs).contains(at(1)).doesNotContain(at(2));
    assertThat(node.due()).as("one chain").containsExactly(at(2));
  }

  @Test
  void the_process_that_registers_is_killed_before_anything_is_stored() {
    failing.beforeNextCommit(RecurringCrashTest::die);
    registerAndBeKilled(PAY);

    assertThat(node.recurring().list()).isEmpty();
    node.recurring().register(PAY);
    assertThat(node.due()).containsExactly(at(1));
  }

  @Test
  void the_process_that_registers_is_killed_before_its_name_is_listed() {
    failing.afterNextCommit(RecurringCrashTest::die);
    registerAndBeKilled(PAY);

    assertThat(node.due()).as("it is there all the same").containsExactly(at(1));
    node.recurring().register(PAY);
    assertThat(node.recurring().list()).hasSize(1);
    assertThat(node.due()).containsExactly(at(1));
  }

  @Test
  void the_process_that_changes_it_is_killed() {
    node.recurring().register(PAY);

    failing.beforeNextCommit(RecurringCrashTest::die);
    registerAndBeKilled(NIGHTLY);
    assertThat(node.due()).as("before").containsExactly(at(1));

    failing.afterNextCommit(RecurringCrashTest::die);
    registerAndBeKilled(NIGHTLY);
    assertThat(node.due()).as("after").containsExactly(at(15));
  }

  private void registerAndBeKilled(RecurringCommand recurring) {
    try {
      node.recurring().register(recurring);
    } catch (Killed expected) {
      return;
    }
    throw new AssertionError("it should have been killed");
  }

  @Test
  void the_store_fails_while_the_next_run_is_stored() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    failing.beforeNextCommit(
        () -> {
          throw FailingStore.failure();
        });

    node.run();
    assertThat(runs).as("no run without a next one").isEmpty();
    recover();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(at(2));
  }

  @Test
  void the_answer_is_lost_when_the_next_run_is_stored() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    failing.afterNextCommit(
        () -> {
          throw FailingStore.failure();
        });

    node.run();
    recover();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(at(2));
  }

  @Test
  void a_process_that_lost_its_lease_does_not_begin_a_second_chain() {
    node.recurring().register(PAY.withMissed(MissedRuns.SKIP));
    bank.pass(HOUR);
    Node slow = noting();
    slow.engine.fetch();
    bank.pass(Duration.ofMinutes(10));
    node.engine.reclaim();
    bank.pass(HOUR);
    node.run();

    slow.engine.handle();
    slow.engine.settle();

    assertThat(node.due()).as("one chain").hasSize(1);
  }

  @Test
  void of_two_that_run_it_at_once_only_one_stores_the_next() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    Node slow = noting();
    slow.engine.fetch();
    failing.beforeNextCommit(
        () -> {
          bank.pass(Duration.ofMinutes(10));
          node.engine.reclaim();
          bank.pass(HOUR);
          node.run();
        });

    slow.engine.handle();

    assertThat(node.due()).as("one chain").containsExactly(at(3));
    assertThat(runs).as("by both").containsExactly(at(1), at(1));
  }

  @Test
  void what_is_registered_while_its_run_is_just_beginning_stays_one() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    node.engine.fetch();

    noting().recurring().register(PAY);
    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).as("one chain").containsExactly(at(2));
  }

  @Test
  void of_two_that_register_it_at_once_only_one_stores_it() {
    Node other = noting();
    failing.beforeNextCommit(() -> other.recurring().register(PAY));

    node.recurring().register(PAY);

    assertThat(node.due()).as("one chain").containsExactly(at(1));
    assertThat(node.recurring().list()).hasSize(1);
  }

  @Test
  void a_run_that_began_before_it_was_removed_does_not_touch_what_was_registered_then() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    node.engine.fetch();
    Node other = noting();
    failing.beforeNextCommit(
        () -> {
          other.recurring().remove("pay");
          other.recurring().register(NIGHTLY);
        });

    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).as("one chain").containsExactly(at(15));
    assertThat(node.recurring().list().get(0).recurrence()).isEqualTo(NIGHTLY.recurrence());
  }

  @Test
  void what_is_registered_while_it_is_removed_is_listed() {
    node.recurring().register(PAY);
    Node other = noting();
    failing.afterNextCommit(() -> other.recurring().register(PAY));

    node.recurring().remove("pay");

    assertThat(node.recurring().list()).hasSize(1);
    assertThat(node.due()).containsExactly(at(1));
  }

  @Test
  void a_run_that_died_before_it_had_a_next_one_gets_another_chance_at_the_next_start() {
    node.recurring().register(PAY);
    bank.pass(HOUR);
    for (int i = 0; i < 10; i++) {
      beKilledIfThereIsSomething();
      bank.pass(Duration.ofMinutes(5));
      node.engine.reclaim();
      bank.pass(Duration.ofMinutes(5));
    }
    assertThat(node.waiting()).as("it has crashed too often").isEmpty();

    node.recurring().register(PAY);
    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).as("one chain").hasSize(1);
  }

  private void beKilledIfThereIsSomething() {
    noting().engine.fetch();
  }
}
