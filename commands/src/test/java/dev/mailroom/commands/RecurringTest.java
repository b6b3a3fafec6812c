package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.commands.Bank.Refund;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Contract;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Commands that run again and again. Time starts at noon of 29 February 2020, UTC. */
class RecurringTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Recurrence HOURLY = Recurrence.every(HOUR);
  private static final RecurringCommand PAY = RecurringCommand.of("pay", new Pay("a"), HOURLY);

  private final Bank bank = new Bank();
  private final List<Instant> runs = new ArrayList<>();
  private final Node node = noting();

  /** A process that notes which times its runs are for. */
  private Node noting() {
    return bank.node(
        (command, context) -> {
          bank.paid.add(command.account());
          runs.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time());
        });
  }

  private static Instant at(int hours) {
    return ManualTime.START.plus(HOUR.multipliedBy(hours));
  }

  /** Lets hours pass; after each, the process runs what is due. */
  private void live(int hours) {
    for (int i = 0; i < hours; i++) {
      bank.pass(HOUR);
      node.run();
    }
  }

  private Instant nextRun() {
    return Objects.requireNonNull(node.recurring().find("pay").orElseThrow().nextRun());
  }

  @Test
  void at_an_interval_it_runs_again_and_again_counted_from_the_registration() {
    node.recurring().register(PAY);

    node.run();
    assertThat(runs).isEmpty();

    live(3);
    assertThat(runs).containsExactly(at(1), at(2), at(3));
    assertThat(node.due()).as("one run waits").containsExactly(at(4));
  }

  @Test
  void by_a_cron_expression_it_runs_at_the_times_of_the_zones_clocks() {
    node.recurring()
        .register(
            RecurringCommand.of("pay", new Pay("a"), Recurrence.cron("30 8 * * *", "Asia/Tokyo")));

    live(48);

    assertThat(runs)
        .containsExactly(
            Instant.parse("2020-02-29T23:30:00Z"), Instant.parse("2020-03-01T23:30:00Z"));
  }

  @Test
  void over_a_change_of_the_clocks_it_keeps_its_local_time() {
    bank.time.set(Instant.parse("2020-03-27T12:00:00Z"));
    node.recurring()
        .register(
            RecurringCommand.of(
                "pay", new Pay("a"), Recurrence.cron("30 2 * * *", "Europe/Berlin")));

    live(72);

    assertThat(runs)
        .containsExactly(
            Instant.parse("2020-03-28T01:30:00Z"),
            Instant.parse("2020-03-29T01:00:00Z"),
            Instant.parse("2020-03-30T00:30:00Z"));
  }

  @Test
  void it_tells_its_handler_which_run_it_is() {
    node.recurring().register(PAY);

    bank.pass(HOUR.plusMinutes(20));
    node.run();

    assertThat(runs).as("the time it is for, not the time it is").containsExactly(at(1));
  }

  @Test
  void a_command_that_does_not_recur_is_no_run() {
    List<Object> found = new ArrayList<>();
    Node other = bank.node((command, context) -> found.add(context.get(RecurringRun.KEY) == null));
    other.commands.schedule(new Pay("a"));

    other.run();

    assertThat(found).containsExactly(true);
  }

  @Test
  void times_that_were_missed_are_skipped() {
    node.recurring().register(PAY);

    bank.pass(HOUR.multipliedBy(5).plusMinutes(10));
    node.run();
    assertThat(runs).as("the one that waited").containsExactly(at(1));

    live(1);
    assertThat(runs).containsExactly(at(1), at(6));
  }

  @Test
  void times_that_were_missed_are_caught_up_with_if_asked_for() {
    node.recurring().register(PAY.withMissed(MissedRuns.CATCH_UP));

    bank.pass(HOUR.multipliedBy(4).plusMinutes(10));
    node.run();

    assertThat(runs).containsExactly(at(1), at(2), at(3), at(4));
    assertThat(node.due()).containsExactly(at(5));
  }

  @Test
  void however_many_processes_register_it_there_is_one() {
    Node other = noting();

    node.recurring().register(PAY);
    bank.pass(Duration.ofMinutes(30));
    other.recurring().register(PAY);
    node.recurring().register(PAY);

    bank.pass(Duration.ofMinutes(30));
    other.run();
    node.run();
    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(at(2));
    assertThat(other.recurring().list()).isEqualTo(node.recurring().list()).hasSize(1);
  }

  @Test
  void a_process_without_handlers_can_register_it() {
    bank.storing().recurring().register(PAY);

    live(1);

    assertThat(runs).containsExactly(at(1));
  }

  @Test
  void a_failed_run_is_retried_and_does_not_delay_the_next() {
    Node failing =
        bank.node(
            mediator ->
                mediator.command(
                    Pay.class,
                    (command, context) -> {
                      runs.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time());
                      throw new IllegalStateException("no");
                    }),
            options -> options.retry(RetryPolicy.builder().attempts(2).build()));
    failing.recurring().register(PAY);

    for (int i = 0; i < 3; i++) {
      bank.pass(HOUR);
      failing.run();
    }

    assertThat(runs).containsExactly(at(1), at(1), at(2), at(2), at(3));
    assertThat(failing.commands.deadLetters().list(DeadLetterFilter.all(), 9).letters()).hasSize(2);
    assertThat(failing.due()).as("the last one again, and the next").hasSize(2);
  }

  @Test
  void a_dead_run_that_is_redriven_runs_without_beginning_a_second_chain() {
    Node failing =
        bank.node(
            mediator ->
                mediator.command(
                    Pay.class,
                    (command, context) -> {
                      throw new IllegalStateException("no");
                    }),
            options -> options.retry(RetryPolicy.builder().attempts(1).build()));
    failing.recurring().register(PAY);
    bank.pass(HOUR);
    failing.run();

    failing.commands.deadLetters().redrive(DeadLetterFilter.all());
    node.run();

    assertThat(runs).containsExactly(at(1));
    assertThat(node.due()).containsExactly(at(2));
  }

  @Test
  void in_a_group_runs_do_not_overtake_each_other() {
    List<Instant> tried = new ArrayList<>();
    Node failing =
        bank.node(
            (command, context) -> {
              tried.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time());
              throw new IllegalStateException("no");
            });
    failing.recurring().register(PAY.withGroupKey("a").withMissed(MissedRuns.CATCH_UP));

    bank.pass(HOUR.multipliedBy(3));
    failing.run();
    assertThat(tried).containsExactly(at(1));

    bank.pass(HOUR);
    node.run();
    assertThat(runs).startsWith(at(1), at(2), at(3));
  }

  @Test
  void tenant_and_group_go_into_every_run() {
    node.recurring().register(PAY.withTenant("acme").withGroupKey("a"));

    live(1);

    assertThat(node.waiting()).hasSize(1);
    assertThat(node.waiting().get(0).message().routing().tenant()).isEqualTo("acme");
    assertThat(node.waiting().get(0).message().routing().groupKey()).isEqualTo("a");
  }

  @Test
  void the_commands_own_group_counts_and_its_idempotency_key_does_not() {
    CommandSchedule storing = bank.storing();
    storing.schedule(new Refund("a"));

    storing.recurring().register(RecurringCommand.of("refund", new Refund("a"), HOURLY));

    assertThat(storing.inspect().counts().scheduled()).isEqualTo(1);
    assertThat(storing.recurring().find("refund").orElseThrow().groupKey()).isEqualTo("a");
  }

  @Test
  void it_can_be_listed_and_says_when_it_runs_next() {
    Recurrence daily = Recurrence.cron("0 0 * * *", "UTC");
    node.recurring().register(PAY);
    RecurringStatus registered =
        node.recurring()
            .register(RecurringCommand.of("a nightly one", new Pay("b"), daily).withTenant("acme"));

    assertThat(registered)
        .isEqualTo(
            new RecurringStatus(
                "a nightly one",
                new Contract("bank.pay", 2),
                daily,
                MissedRuns.SKIP,
                "acme",
                null,
                Instant.parse("2020-03-01T00:00:00Z")));
    assertThat(registered.isPaused()).isFalse();
    assertThat(node.recurring().list())
        .extracting(RecurringStatus::name)
        .containsExactly("a nightly one", "pay");
    assertThat(node.recurring().find("a nightly one")).contains(registered);
    assertThat(nextRun()).isEqualTo(at(1));
  }

  @Test
  void while_it_is_paused_nothing_runs_and_nothing_is_missed() {
    node.recurring().register(PAY.withMissed(MissedRuns.CATCH_UP));

    node.recurring().pause("pay");
    node.recurring().pause("pay");
    live(3);
    assertThat(runs).isEmpty();
    assertThat(node.waiting()).isEmpty();
    assertThat(node.recurring().list().get(0).isPaused()).isTrue();

    node.recurring().resume("pay");
    node.recurring().resume("pay");
    live(2);
    assertThat(runs).containsExactly(at(4), at(5));
  }

  @Test
  void a_paused_one_stays_paused_when_another_process_registers_it() {
    node.recurring().register(PAY);
    node.recurring().pause("pay");

    RecurringStatus status = node.recurring().register(PAY.withTenant("acme"));

    assertThat(status.isPaused()).isTrue();
    assertThat(status.tenant()).as("what was registered last").isEqualTo("acme");
    live(2);
    assertThat(runs).isEmpty();
  }

  @Test
  void what_was_removed_does_not_run_and_can_be_registered_again() {
    node.recurring().register(PAY);

    assertThat(node.recurring().remove("pay")).isTrue();
    assertThat(node.recurring().remove("pay")).isFalse();
    live(2);
    assertThat(runs).isEmpty();
    assertThat(node.waiting()).isEmpty();
    assertThat(node.recurring().list()).isEmpty();
    assertThat(node.recurring().find("pay")).isEmpty();

    node.recurring().register(PAY);
    live(1);
    assertThat(runs).containsExactly(at(3));
  }

  @Test
  void there_is_a_limit_to_how_many_are_stored() {
    for (int i = 0; i < RecurringCommands.MAXIMUM; i++) {
      node.recurring().register(RecurringCommand.of("pay " + i, new Pay("a"), HOURLY));
    }

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> node.recurring().register(PAY))
        .withMessageContaining("'pay' would be one recurring command too many")
        .withMessageContaining("at most 1000");
    assertThat(node.recurring().find("pay")).isEmpty();
    node.recurring().register(RecurringCommand.of("pay 7", new Pay("b"), HOURLY));
  }
}
