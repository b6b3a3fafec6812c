package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.commands.Bank.Refund;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a command that is scheduled, until it runs. */
class SchedulingTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bank bank = new Bank();
  private final Node node = bank.node();
  private final CommandSchedule commands = node.commands;

  private InspectedMessage found(CommandReceipt receipt) {
    return commands.inspect().find(receipt.id()).orElseThrow();
  }

  @Test
  void the_receipt_says_everything_that_is_known_of_the_command() {
    CommandReceipt receipt =
        commands.schedule(
            new Pay("a"),
            options -> options.correlationId("order-1").causationId("click").tenant("acme"));

    assertThat(receipt.type()).isEqualTo(Pay.class);
    assertThat(receipt.contract()).isEqualTo(new Contract("bank.pay", 2));
    assertThat(receipt.acceptedAt()).isEqualTo(bank.time.now());
    assertThat(receipt.status()).isEqualTo(Receipt.Status.ACCEPTED);
    assertThat(receipt.isDuplicate()).isFalse();
    assertThat(receipt.correlationId()).isEqualTo("order-1");
    assertThat(receipt.causationId()).isEqualTo("click");
    assertThat(receipt.tenant()).isEqualTo("acme");
    assertThat(found(receipt).state()).isEqualTo(MessageState.READY);
  }

  @Test
  void what_the_options_say_is_stored() {
    CommandReceipt receipt =
        commands.schedule(
            new Pay("a"),
            options ->
                options
                    .correlationId("order-1")
                    .causationId("click")
                    .tenant("acme")
                    .groupKey("account-a")
                    .idempotencyKey("once"));

    assertThat(found(receipt).message().routing())
        .isEqualTo(new Routing("acme", "account-a", "once", null));
    assertThat(found(receipt).message().envelope().trace())
        .isEqualTo(new Trace("order-1", "click", null, null));
  }

  @Test
  void blank_options_mean_none() {
    CommandReceipt receipt =
        commands.schedule(
            new Pay("a"),
            options -> options.correlationId(" ").tenant("").groupKey("").idempotencyKey(" "));

    assertThat(receipt.correlationId()).isNull();
    assertThat(receipt.tenant()).isNull();
    assertThat(found(receipt).message().routing()).isEqualTo(Routing.NONE);
  }

  @Test
  void a_command_runs_once_its_delay_has_passed() {
    commands.schedule(new Pay("a"), options -> options.delay(HOUR));

    bank.pass(HOUR.minusSeconds(1));
    node.run();
    assertThat(bank.paid).isEmpty();

    bank.pass(Duration.ofSeconds(1));
    node.run();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void a_command_runs_after_the_time_it_is_visible_after() {
    commands.schedule(new Pay("a"), options -> options.visibleAfter(bank.time.now().plus(HOUR)));

    node.run();
    assertThat(bank.paid).isEmpty();

    bank.pass(HOUR);
    node.run();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void a_second_command_with_an_idempotency_key_is_a_duplicate() {
    ScheduleOptions once = ScheduleOptions.of(options -> options.idempotencyKey("once"));
    CommandReceipt first = commands.schedule(new Pay("a"), once);

    CommandReceipt second = commands.schedule(new Pay("a"), once);

    assertThat(second.isDuplicate()).isTrue();
    assertThat(second.id()).isEqualTo(first.id());
    node.run();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void an_idempotency_key_counts_within_its_tenant() {
    ScheduleOptions once = ScheduleOptions.of(options -> options.idempotencyKey("once"));

    commands.schedule(new Pay("a"), once.toBuilder().tenant("one").build());

    assertThat(
            commands.schedule(new Pay("a"), once.toBuilder().tenant("two").build()).isDuplicate())
        .isFalse();
  }

  @Test
  void an_idempotent_command_brings_its_key() {
    CommandSchedule storing = bank.storing();
    storing.schedule(new Refund("a"));

    assertThat(storing.schedule(new Refund("a")).isDuplicate()).isTrue();
    assertThat(storing.schedule(new Refund("b")).isDuplicate()).isFalse();
  }

  @Test
  void a_key_of_the_options_goes_before_the_commands_own() {
    CommandSchedule storing = bank.storing();
    storing.schedule(new Refund("a"));

    CommandReceipt other =
        storing.schedule(new Refund("a"), options -> options.idempotencyKey("other"));

    assertThat(other.isDuplicate()).isFalse();
  }

  @Test
  void commands_of_a_group_run_in_order_and_a_failed_one_holds_up_its_group() {
    List<String> run = new ArrayList<>();
    Node failing =
        bank.node(
            (command, context) -> {
              run.add(command.account());
              if (command.account().equals("a1") && run.size() == 1) {
                throw new IllegalStateException("not now");
              }
            });
    ScheduleOptions a = ScheduleOptions.of(options -> options.groupKey("a"));
    commands.schedule(new Pay("a1"), a);
    commands.schedule(new Pay("a2"), a);
    commands.schedule(new Pay("b1"), options -> options.groupKey("b"));

    failing.run();
    assertThat(run).containsExactlyInAnyOrder("a1", "b1");

    bank.pass(HOUR);
    failing.run();
    assertThat(run.subList(2, 4)).containsExactly("a1", "a2");
  }

  @Test
  void in_a_transaction_a_command_is_stored_only_if_that_commits() {
    Transactional store = (Transactional) bank.store;
    try (var transaction = store.begin()) {
      commands.schedule(new Pay("rolled back"), options -> options.in(transaction));
    }
    try (var transaction = store.begin()) {
      commands.schedule(new Pay("committed"), options -> options.in(transaction));
      assertThat(node.run()).as("before the commit").isZero();
      transaction.commit();
    }

    node.run();

    assertThat(bank.paid).containsExactly("committed");
  }

  @Test
  void a_command_can_be_cancelled_until_it_runs() {
    CommandReceipt receipt = commands.schedule(new Pay("a"));

    assertThat(commands.cancel(receipt.id())).isTrue();
    assertThat(commands.cancel(receipt.id())).isFalse();

    node.run();
    assertThat(bank.paid).isEmpty();
  }

  @Test
  void a_command_can_be_moved_to_another_time() {
    CommandReceipt receipt = commands.schedule(new Pay("a"), options -> options.delay(HOUR));

    assertThat(commands.reschedule(receipt.id(), bank.time.now())).isTrue();

    node.run();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void a_command_can_be_moved_by_a_delay() {
    CommandReceipt receipt = commands.schedule(new Pay("a"));

    assertThat(commands.reschedule(receipt.id(), Due.after(HOUR))).isTrue();
    node.run();
    assertThat(bank.paid).isEmpty();

    bank.time.advance(HOUR);
    node.run();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void the_idempotency_key_is_the_deduplication_key_of_the_message() {
    CommandReceipt receipt =
        commands.schedule(new Pay("a"), options -> options.idempotencyKey("once"));

    assertThat(found(receipt).message().routing().deduplicationKey()).isEqualTo("once");
    assertThat(commands.inspect().find("once")).isPresent();
  }

  @Test
  void a_message_for_others_to_store_carries_the_options() {
    AddressedMessage message =
        commands.message(
            new Pay("a"),
            options -> options.idempotencyKey("once").delay(HOUR).tenant("acme").groupKey("g"));

    WriteOptions options = message.message().options();
    assertThat(message.inbox()).isEqualTo(commands.name());
    assertThat(message.message().payload()).isEqualTo(new Pay("a"));
    assertThat(options.deduplicationKey()).isEqualTo("once");
    assertThat(options.due()).isEqualTo(Due.after(HOUR));
    assertThat(options.tenant()).isEqualTo("acme");
    assertThat(options.groupKey()).isEqualTo("g");
    assertThat(commands.message(new Pay("a")).message().options().deduplicationKey()).isNull();
  }

  @Test
  void a_changed_copy_of_options_leaves_them_as_they_are() {
    ScheduleOptions acme = ScheduleOptions.of(options -> options.tenant("acme").delay(HOUR));

    ScheduleOptions other = acme.toBuilder().tenant("other").correlationId("c").build();

    assertThat(acme.tenant()).isEqualTo("acme");
    assertThat(acme.correlationId()).isNull();
    assertThat(other.tenant()).isEqualTo("other");
    assertThat(other.correlationId()).isEqualTo("c");
    assertThat(other.due()).isEqualTo(Due.after(HOUR));
  }

  @Test
  void a_process_that_only_stores_needs_no_mediator() {
    CommandReceipt receipt = bank.storing().schedule(new Pay("a"));

    node.run();

    assertThat(receipt.isDuplicate()).isFalse();
    assertThat(bank.paid).containsExactly("a");
  }

  @Test
  void schedules_of_different_names_have_channels_of_their_own() {
    CommandSchedule slow = CommandSchedule.builder().name("slow").build();
    CommandSchedule fast = CommandSchedule.builder().name("fast").build();
    bank.mailroom(bank.time).add(slow).add(fast).build();

    slow.schedule(new Pay("a"));

    assertThat(slow.inspect().counts().ready()).isEqualTo(1);
    assertThat(fast.inspect().counts().ready()).isZero();
  }

  @Test
  void a_schedule_can_have_a_store_of_its_own() {
    Bank other = new Bank();
    CommandSchedule apart = CommandSchedule.builder().store(other.store).build();
    bank.mailroom(bank.time).add(apart).build();

    apart.schedule(new Pay("a"));

    assertThat(commands.inspect().counts().ready()).isZero();
    assertThat(other.node().commands.inspect().counts().ready()).isEqualTo(1);
  }
}
