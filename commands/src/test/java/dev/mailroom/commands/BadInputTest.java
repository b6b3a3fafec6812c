package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.HandlerOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.commands.Bank.Balance;
import dev.mailroom.commands.Bank.Forgotten;
import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.commands.Bank.Refund;
import dev.mailroom.commands.Bank.Unregistered;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.HandlerNotFoundException;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.messages.Due;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cannot run later is refused at the earliest moment, and nothing of it is stored. */
class BadInputTest {
  private final Bank bank = new Bank();
  private final Node node = bank.node();

  @AfterEach
  void nothingIsStored() {
    assertThat(node.waiting()).isEmpty();
    assertThat(node.recurring().list()).isEmpty();
  }

  private static Mediator paying() {
    return Mediator.builder().command(Pay.class, (command, context) -> {}).build();
  }

  private static RecurringCommand hourly(Command command) {
    return RecurringCommand.of("name", command, Recurrence.every(Duration.ofHours(1)));
  }

  @Test
  void a_command_with_a_result_is_refused_at_the_call() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.commands.schedule(new Balance("a")))
        .withMessageContaining(Balance.class.getName() + " has a result")
        .withMessageContaining("Nothing was stored");
    assertThatIllegalArgumentException()
        .as("also where nothing runs")
        .isThrownBy(() -> bank.storing().schedule(new Balance("a")));
    assertThatExceptionOfType(InvalidOptionsException.class)
        .as("also as a recurring one")
        .isThrownBy(() -> hourly(new Balance("a")))
        .withMessageContaining("has a result");
  }

  @Test
  void a_command_without_a_contract_is_refused_at_the_call() {
    CommandSchedule storing = bank.storing();

    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> storing.schedule(new Unregistered("a")))
        .withMessageContaining(Unregistered.class.getName() + " has no contract");
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> storing.recurring().register(hourly(new Unregistered("a"))));
  }

  @Test
  void a_command_without_a_contract_that_is_to_run_here_is_an_error_of_the_mailroom() {
    CommandSchedule commands =
        CommandSchedule.builder()
            .mediator(Mediator.builder().command(Forgotten.class, (command, context) -> {}).build())
            .build();
    MailroomBuilder mailroom = bank.mailroom(bank.time).add(commands);

    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(mailroom::build)
        .withMessageContaining(Forgotten.class.getName());
  }

  @Test
  void a_contract_that_is_registered_in_code_will_do() {
    CommandSchedule commands =
        CommandSchedule.builder()
            .mediator(
                Mediator.builder()
                    .command(Forgotten.class, (command, context) -> bank.paid.add("forgotten"))
                    .command(Unregistered.class, (command, context) -> bank.paid.add("named"))
                    .build())
            .commands(Unregistered.class)
            .build();
    bank.mailroom(bank.time)
        .add(commands)
        .contract(Forgotten.class, "bank.forgotten", 1)
        .contract(Unregistered.class, "bank.unregistered", 1)
        .build();
    commands.schedule(new Forgotten("a"));
    commands.schedule(new Unregistered("a"));

    commands.processPending();

    assertThat(bank.paid).containsExactlyInAnyOrder("forgotten", "named");
  }

  @Test
  void a_command_that_this_process_should_run_but_cannot_is_refused_at_the_call() {
    assertThatExceptionOfType(HandlerNotFoundException.class)
        .isThrownBy(() -> node.commands.schedule(new Refund("a")))
        .withMessageContaining(Refund.class.getName())
        .withMessageContaining("remoteCommands")
        .withMessageContaining("Nothing was stored");
    assertThatExceptionOfType(HandlerNotFoundException.class)
        .isThrownBy(() -> node.recurring().register(hourly(new Refund("a"))));
  }

  @Test
  void a_command_with_a_handler_that_the_schedule_does_not_know_of_is_refused() {
    CommandSchedule commands =
        CommandSchedule.builder()
            .mediator(
                Mediator.builder()
                    .command(Pay.class, bank.paying())
                    .command(Command.class, (command, context) -> {})
                    .build())
            .build();
    bank.mailroom(bank.time).add(commands).build();

    assertThatExceptionOfType(HandlerNotFoundException.class)
        .isThrownBy(() -> commands.schedule(new Refund("a")))
        .withMessageContaining(".commands(…)");
  }

  @Test
  void a_command_that_another_process_runs_is_taken_if_it_was_said_so() {
    CommandSchedule commands =
        CommandSchedule.builder().mediator(paying()).remoteCommands(Refund.class).build();
    bank.mailroom(bank.time).add(commands).build();

    assertThat(commands.cancel(commands.schedule(new Refund("a")).id())).isTrue();
  }

  @Test
  void a_named_command_without_a_handler_is_an_error_of_the_schedule() {
    assertThatExceptionOfType(HandlerNotFoundException.class)
        .isThrownBy(
            () -> CommandSchedule.builder().mediator(paying()).commands(Refund.class).build())
        .withMessageContaining(Refund.class.getName());
  }

  @Test
  void all_errors_of_a_schedule_are_reported_at_once() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () ->
                CommandSchedule.builder()
                    .commands(Balance.class, Command.class, Pay.class)
                    .remoteCommands(Pay.class)
                    .build())
        .withMessageContaining("mediator is null")
        .withMessageContaining("has a result")
        .withMessageContaining(Command.class.getName() + ": is abstract")
        .withMessageContaining(Pay.class.getName() + ": runs in this process or in another");
  }

  @Test
  void a_mediator_that_handles_nothing_that_could_be_stored_is_an_error() {
    Mediator mediator =
        Mediator.builder().command(Unregistered.class, (command, context) -> {}).build();

    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> CommandSchedule.builder().mediator(mediator).build())
        .withMessageContaining("@MessageContract");
  }

  @Test
  void wrong_options_are_refused_when_they_are_set() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> CommandSchedule.builder().options(options -> options.concurrency(0)))
        .withMessageContaining("concurrency is 0");
  }

  @Test
  void a_schedule_that_belongs_to_no_mailroom_says_so() {
    CommandSchedule lost = CommandSchedule.builder().build();

    assertThatIllegalStateException()
        .isThrownBy(() -> lost.schedule(new Pay("a")))
        .withMessageContaining("command schedule 'commands'")
        .withMessageContaining("Mailroom.builder().add(…)");
    assertThatIllegalStateException().isThrownBy(lost::recurring);
    assertThatIllegalStateException().isThrownBy(lost::processPending);
  }

  @Test
  void two_schedules_of_one_name_are_refused() {
    MailroomBuilder mailroom =
        Mailroom.builder().store(bank.store).add(CommandSchedule.builder().build());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> mailroom.add(CommandSchedule.builder().build()))
        .withMessageContaining("two inboxes named 'commands'");
  }

  @Test
  void a_command_that_is_too_large_is_refused() {
    String large = "x".repeat(2 << 20);

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> node.commands.schedule(new Pay(large)))
        .withMessageContaining("bytes");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> node.recurring().register(hourly(new Pay(large))));
  }

  @Test
  void a_key_that_is_too_long_is_refused() {
    String large = "x".repeat(257);

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> ScheduleOptions.builder().idempotencyKey(large))
        .withMessageContaining("idempotency key");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> node.commands.schedule(new Pay("a"), options -> options.groupKey(large)));
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () -> RecurringCommand.of(large, new Pay("a"), Recurrence.every(Duration.ofHours(1))));
  }

  @Test
  void a_closed_mailroom_takes_no_commands() {
    node.mailroom.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> node.commands.schedule(new Pay("a")))
        .withMessageContainingAll("'commands'", "closed", "nothing was stored");
    assertThatIllegalStateException()
        .isThrownBy(() -> node.recurring().register(hourly(new Pay("a"))))
        .withMessageContaining("closed");
  }

  @Test
  void a_negative_delay_is_refused() {
    Duration past = Duration.ofSeconds(-1);

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> node.commands.schedule(new Pay("a"), options -> options.delay(past)))
        .withMessageContaining("delay is PT-1S")
        .withMessageContaining("must not be negative");
    assertThatThrownBy(() -> node.commands.reschedule(new UUID(1, 1), new Due.After(past)))
        .hasMessageContaining("negative");
    assertThatThrownBy(() -> ScheduleOptions.of(options -> options.due(new Due.After(past))))
        .hasMessageContaining("negative");
  }

  @Test
  void an_interval_that_is_not_positive_is_refused() {
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
      assertThatExceptionOfType(InvalidOptionsException.class)
          .isThrownBy(() -> Recurrence.every(wrong))
          .withMessageContaining("interval is " + wrong);
    }
  }

  @Test
  void a_recurring_command_without_a_name_is_refused() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () -> RecurringCommand.of(" ", new Pay("a"), Recurrence.cron("0 0 * * *", "UTC")))
        .withMessageContaining("name is  ");
  }

  @Test
  void a_recurring_command_that_does_not_exist_cannot_be_paused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.recurring().pause("nothing"))
        .withMessageContaining("'nothing'");
    assertThatIllegalArgumentException().isThrownBy(() -> node.recurring().resume("nothing"));
    assertThat(node.recurring().remove("nothing")).isFalse();
    assertThat(node.recurring().find("nothing")).isEmpty();
  }

  @Test
  void the_options_of_one_command_are_checked() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () ->
                CommandSchedule.builder()
                    .command(Pay.class, HandlerOptions.builder().timeout(Duration.ZERO).build()));
  }
}
