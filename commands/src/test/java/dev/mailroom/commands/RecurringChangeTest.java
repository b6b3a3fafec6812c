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
import org.junit.jupiter.api.Test;

/** What becomes of a recurring command that is registered differently, as in a rolling deploy. */
class RecurringChangeTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Recurrence HOURLY = Recurrence.every(HOUR);
  private static final Recurrence NIGHTLY = Recurrence.cron("0 3 * * *", "UTC");
  private static final RecurringCommand PAY = RecurringCommand.of("pay", new Pay("a"), HOURLY);

  private final Bank bank = new Bank();
  private final List<Instant> runs = new ArrayList<>();
  private final Node node =
      bank.node(
          (command, context) -> {
            bank.paid.add(command.account());
            runs.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time());
          });

  private static Instant at(double hours) {
    return ManualTime.START.plusSeconds((long) (hours * 3600));
  }

  private void pass(double hours) {
    bank.pass(Duration.ofSeconds((long) (hours * 3600)));
  }

  @Test
  void other_times_are_counted_from_now() {
    node.recurring().register(PAY);
    pass(0.5);

    node.recurring().register(RecurringCommand.of("pay", new Pay("a"), NIGHTLY));

    assertThat(node.due()).containsExactly(Instant.parse("2020-03-01T03:00:00Z"));
  }

  @Test
  void the_last_one_to_register_wins() {
    Node old = bank.node();
    node.recurring().register(RecurringCommand.of("pay", new Pay("new"), NIGHTLY));

    old.recurring().register(PAY);
    assertThat(node.due()).as("an old process started late").containsExactly(at(1));

    node.recurring().register(RecurringCommand.of("pay", new Pay("new"), NIGHTLY));
    assertThat(node.due()).containsExactly(Instant.parse("2020-03-01T03:00:00Z"));
    assertThat(node.recurring().list()).hasSize(1);
  }

  @Test
  void if_only_the_command_differs_the_run_that_waits_keeps_its_time() {
    node.recurring().register(PAY);
    pass(0.5);

    node.recurring().register(RecurringCommand.of("pay", new Pay("b"), HOURLY));

    assertThat(node.due()).containsExactly(at(1));
    pass(0.5);
    node.run();
    assertThat(bank.paid).containsExactly("b");
  }

  @Test
  void a_run_whose_time_has_come_is_not_cancelled() {
    node.recurring().register(PAY);
    pass(1.5);

    node.recurring().register(RecurringCommand.of("pay", new Pay("b"), NIGHTLY));
    node.run();

    assertThat(bank.paid).containsExactly("a");
    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(Instant.parse("2020-03-01T03:00:00Z"));
  }

  @Test
  void if_only_the_command_differs_missed_times_are_still_caught_up_with() {
    node.recurring().register(PAY.withMissed(MissedRuns.CATCH_UP));
    pass(3.5);

    node.recurring()
        .register(RecurringCommand.of("pay", new Pay("b"), HOURLY).withMissed(MissedRuns.CATCH_UP));
    node.run();

    assertThat(runs).containsExactlyInAnyOrder(at(1), at(2), at(3));
    assertThat(node.due()).containsExactly(at(4));
  }

  @Test
  void a_run_that_is_just_beginning_runs_once_and_does_not_go_on_by_the_old_times() {
    node.recurring().register(PAY);
    pass(1);
    node.engine.fetch();

    bank.node().recurring().register(RecurringCommand.of("pay", new Pay("b"), NIGHTLY));
    node.run();

    assertThat(bank.paid).containsExactly("a");
    assertThat(node.due()).containsExactly(Instant.parse("2020-03-01T03:00:00Z"));
  }

  @Test
  void a_run_that_is_just_beginning_is_left_to_the_one_that_a_late_clock_puts_in_its_place() {
    ManualTime late = new ManualTime();
    late.advance(Duration.ofMinutes(59));
    CommandSchedule elsewhere = CommandSchedule.builder().build();
    bank.mailroom(late).add(elsewhere).build();
    node.recurring().register(PAY);
    pass(1);
    node.engine.fetch();

    elsewhere.recurring().register(RecurringCommand.of("pay", new Pay("b"), HOURLY));
    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(bank.paid).containsExactly("b");
    assertThat(node.due()).containsExactly(at(2));
  }

  @Test
  void a_run_that_is_just_beginning_goes_on_when_it_is_paused_or_removed() {
    node.recurring().register(PAY);
    pass(1);
    node.engine.fetch();
    node.recurring().pause("pay");
    node.run();
    assertThat(runs).containsExactly(at(1));
    assertThat(node.waiting()).isEmpty();

    node.recurring().resume("pay");
    pass(1);
    node.engine.fetch();
    node.recurring().remove("pay");
    node.run();
    assertThat(runs).containsExactly(at(1), at(2));
    assertThat(node.waiting()).isEmpty();
  }

  @Test
  void a_run_that_was_cancelled_by_its_id_comes_back_with_the_next_registration() {
    node.recurring().register(PAY);
    node.commands.cancel(node.waiting().get(0).message().id());

    node.recurring().register(PAY);

    assertThat(node.due()).containsExactly(at(1));
  }

  @Test
  void an_operator_may_run_it_now_by_moving_the_run_that_waits() {
    node.recurring().register(PAY);
    node.commands.reschedule(node.waiting().get(0).message().id(), bank.time.now());

    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(at(2));
  }
}
