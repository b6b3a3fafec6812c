package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Overdue;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.processes.OrderFlow.Reminder;
import dev.mailroom.processes.ProcessEvent.Kind;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.StateChange;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessStepsTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private OrderFlow flow = new OrderFlow(store, time);

  private void described(UnaryOperator<ProcessesBuilder<Order>> process) {
    flow = new OrderFlow(store, time, process, builder -> {});
  }

  private void place() {
    flow.orders.send(new Placed("1"));
    flow.run();
  }

  private Order state() {
    return flow.orders.find("1").map(ProcessInstance::state).orElse(null);
  }

  @Test
  void a_message_starts_an_instance_which_sends_and_asks_for_timeouts() {
    place();

    ProcessInstance<Order> order = flow.orders.find("1").orElseThrow();
    assertThat(order).isNotNull();
    assertThat(order.state()).isEqualTo(new Order("1", "waiting", 0));
    assertThat(order.status()).isEqualTo(ProcessStatus.RUNNING);
    assertThat(order.version()).isEqualTo(1);
    assertThat(order.timeouts())
        .containsEntry("reminder", time.now().plus(OrderFlow.DAY))
        .containsEntry("overdue", time.now().plus(OrderFlow.DAY.multipliedBy(3)));
    assertThat(order.compensations()).isEqualTo(2);
    assertThat(flow.mail()).containsExactly("confirmed 1");
    assertThat(flow.waiting()).as("two timeouts").isEqualTo(2);
  }

  @Test
  void timeouts_come_when_they_are_due_and_the_last_one_gives_it_up() {
    place();
    time.advance(OrderFlow.DAY);
    flow.run();
    assertThat(state()).isEqualTo(new Order("1", "waiting", 1));

    time.advance(OrderFlow.DAY.multipliedBy(2));
    flow.run();

    assertThat(state()).isNull();
    assertThat(flow.mail()).containsExactly("confirmed 1", "reminded 1");
    assertThat(flow.undone()).as("last things first").containsExactly("unconfirm 1", "unreserve 1");
    assertThat(flow.waiting()).isZero();
  }

  @Test
  void completing_takes_the_timeouts_back() {
    place();
    flow.orders.send(new Paid("1"));
    flow.run();

    assertThat(state()).isNull();
    assertThat(flow.mail()).containsExactly("confirmed 1", "shipped 1");
    assertThat(flow.waiting()).isZero();
    assertThat(flow.undone()).isEmpty();
  }

  @Test
  void a_step_that_throws_leaves_no_trace_and_is_retried() {
    flow.stepAction =
        step -> {
          throw new IllegalStateException("not yet");
        };
    place();
    assertThat(state()).isNull();
    assertThat(flow.mail()).isEmpty();
    assertThat(flow.waiting()).as("the message itself").isEqualTo(1);

    flow.stepAction = step -> {};
    time.advance(Duration.ofSeconds(1));
    flow.run();
    assertThat(state()).isNotNull();
    assertThat(flow.mail()).containsExactly("confirmed 1");
  }

  @Test
  void a_step_that_fails_permanently_becomes_a_dead_letter_and_the_instance_goes_on() {
    place();
    flow.stepAction =
        step -> {
          throw new IllegalStateException("never");
        };
    flow.orders.send(new Paid("1"));
    for (int attempt = 0; attempt < 3; attempt++) {
      flow.run();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(flow.orders.deadLetters().list(DeadLetterFilter.all(), 10).letters())
        .singleElement()
        .satisfies(letter -> assertThat(letter.error().message()).isEqualTo("never"));

    flow.stepAction = step -> {};
    flow.orders.deadLetters().redrive(DeadLetterFilter.all());
    flow.run();
    assertThat(flow.mail()).contains("shipped 1");
  }

  @Test
  void a_concurrent_change_makes_the_step_decide_again_from_a_fresh_copy() {
    place();
    AtomicInteger calls = new AtomicInteger();
    flow.stepAction =
        step -> {
          if (calls.incrementAndGet() == 1) {
            change("changed meanwhile");
          } else {
            assertThat(step.state().status()).isEqualTo("changed meanwhile");
          }
        };
    time.advance(OrderFlow.DAY);
    flow.run();

    assertThat(calls).hasValue(2);
    assertThat(state()).isEqualTo(new Order("1", "waiting", 1));
    assertThat(flow.mail()).containsExactly("confirmed 1", "reminded 1");
  }

  @Test
  void options_of_a_sent_message_add_to_its_tenant_and_cause() {
    flow.stepAction = step -> step.send("mail", "grouped", options -> options.groupKey("g"));
    UUID cause =
        flow.orders
            .send(new Placed("1"), options -> options.tenant("acme").correlationId("c"))
            .messageId();
    flow.run();

    assertThat(flow.mailroom.inbox("mail").inspect().stream(MessageFilter.all()))
        .map(InspectedMessage::message)
        .filteredOn(message -> "g".equals(message.routing().groupKey()))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.routing().tenant()).isEqualTo("acme");
              assertThat(message.envelope().trace().correlationId()).isEqualTo("c");
              assertThat(message.envelope().trace().causationId()).isEqualTo(cause.toString());
            });
    assertThat(flow.orders.inspect().counts().scheduled()).as("its timeouts").isEqualTo(2);
  }

  private void change(String status) {
    var key = new dev.mailroom.inspection.StateKey("process 'orders'", "1");
    var stored = store.state(key);
    ProcessRecord before = ProcessFormat.decode(stored.value());
    ProcessRecord after =
        new ProcessRecord(
            before.status(),
            before.startedAt(),
            before.changedAt(),
            OrderFlow.encoded("test.order", new Order("1", status, 0)),
            before.timeouts(),
            before.compensations(),
            before.history());
    store.commit(
        new Commit(
            List.of(),
            List.of(),
            List.of(),
            new StateChange(key, stored.version(), ProcessFormat.encode(after))));
  }

  @Test
  void without_an_instance_a_message_is_ignored_or_dead_as_declared() {
    flow.orders.send(new Reminder("1"));
    flow.orders.send(new Paid("1"));
    flow.run();

    assertThat(flow.orders.deadLetters().list(DeadLetterFilter.all(), 10).letters())
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.error().message())
                    .isEqualTo(
                        "There is no process 'orders' of '1', and Paid does not start one."));
    assertThat(flow.waiting()).isZero();
  }

  @Test
  void a_message_that_starts_finds_the_instance_that_runs() {
    place();
    flow.orders.send(new Placed("1"));
    flow.run();

    assertThat(flow.orders.find("1").orElseThrow().version()).isEqualTo(2);
    assertThat(flow.waiting()).as("timeouts of the same names are replaced").isEqualTo(2);
  }

  @Test
  void a_timeout_that_was_cancelled_while_it_was_leased_does_nothing() {
    place();
    time.advance(OrderFlow.DAY.multipliedBy(3)); // both timeouts come in one lease
    flow.stepAction = step -> step.cancelTimeout("overdue");
    flow.run();

    assertThat(state()).isEqualTo(new Order("1", "waiting", 1));
    assertThat(flow.undone()).isEmpty();
    assertThat(flow.waiting()).isZero();
  }

  @Test
  void a_timeout_requested_and_cancelled_in_one_step_is_never_written() {
    flow.stepAction =
        step -> {
          step.timeout("reminder", Duration.ofHours(1), new Reminder("1"));
          step.cancelTimeout("overdue");
          step.cancelTimeout("none of that name");
        };
    place();

    assertThat(flow.orders.find("1").orElseThrow().timeouts()).containsOnlyKeys("reminder");
    assertThat(flow.waiting()).isEqualTo(1);
    time.advance(Duration.ofHours(1));
    flow.run();
    assertThat(state().reminders()).isEqualTo(1);
  }

  @Test
  void history_is_kept_if_asked_for_and_bounded() {
    described(builder -> builder.history(4));
    place();
    assertThat(flow.orders.find("1").orElseThrow().history())
        .extracting(ProcessEvent::kind)
        .containsExactly(Kind.RECEIVED, Kind.TIMEOUT_REQUESTED, Kind.TIMEOUT_REQUESTED, Kind.SENT);
    time.advance(OrderFlow.DAY);
    flow.run();
    assertThat(flow.orders.find("1").orElseThrow().history())
        .extracting(ProcessEvent::kind)
        .containsExactly(Kind.TIMEOUT_REQUESTED, Kind.SENT, Kind.TIMEOUT_FIRED, Kind.SENT);
  }

  @Test
  void instances_are_listed_by_status_and_age() {
    described(builder -> builder.keep(Duration.ofDays(30)));
    flow.orders.send(new Placed("old"));
    flow.orders.send(new Placed("done"));
    flow.run();
    flow.orders.send(new Paid("done"));
    time.advance(Duration.ofHours(1));
    flow.orders.send(new Placed("new"));
    flow.orders.send(new Placed("theirs"), WriteOptions.builder().tenant("them").build());
    flow.run();

    assertThat(keys(ProcessFilter.all())).containsExactly("done", "new", "old");
    assertThat(keys(ProcessFilter.all().in(ProcessStatus.RUNNING))).containsExactly("new", "old");
    assertThat(keys(ProcessFilter.all().startedBefore(time.now()))).containsExactly("done", "old");
    assertThat(keys(ProcessFilter.all().changedBefore(time.now()))).containsExactly("old");
    assertThat(keys(ProcessFilter.all().ofTenant("them"))).containsExactly("theirs");
    assertThat(flow.orders.find("them", "theirs")).isPresent();
    assertThat(flow.orders.find("theirs")).isEmpty();
    ProcessPage<Order> page = flow.orders.list(ProcessFilter.all(), 2);
    assertThat(page.instances()).hasSize(2);
    ProcessPage<Order> last = flow.orders.list(ProcessFilter.all(), page.next().orElseThrow(), 2);
    assertThat(last.instances()).hasSize(1);
    assertThat(last.next()).isEmpty();
    assertThat(flow.orders.stream(ProcessFilter.all()).map(ProcessInstance::key))
        .containsExactly("done", "new", "old");
  }

  private List<String> keys(ProcessFilter filter) {
    return flow.orders.list(filter, 100).instances().stream().map(ProcessInstance::key).toList();
  }

  @Test
  void a_step_cannot_send_where_it_could_not_be_stored_together() {
    MemoryStore other = MemoryStore.create();
    flow =
        new OrderFlow(
            store,
            time,
            builder -> builder,
            builder -> builder.inbox("elsewhere", inbox -> inbox.store(other)));
    assertRefused(step -> step.send("elsewhere", "text"), "is kept in another store than");
    assertRefused(step -> step.send("nowhere", "text"), "No inbox is named 'nowhere'");
    assertRefused(step -> step.send("mail", 42), "Integer");
    assertRefused(step -> step.compensateWith("mail", "text"), "is not ordered");
    assertRefused(
        step -> step.timeout("t", Duration.ofDays(1), "text"), "has no step for java.lang.String");
    assertRefused(
        step -> step.timeout("t", Duration.ofDays(-1), new Reminder("1")), "must not be negative");
    assertRefused(step -> step.timeout(" ", Duration.ofDays(1), new Reminder("1")), "blank");
    assertRefused(
        step -> {
          step.complete();
          step.send("mail", "too late");
        },
        "has ended");
  }

  private void assertRefused(OrderFlow.StepAction stepAction, String why) {
    AtomicInteger caught = new AtomicInteger();
    flow.stepAction =
        step -> {
          assertThatThrownBy(() -> stepAction.play(step)).hasMessageContaining(why);
          caught.incrementAndGet();
          throw new IllegalStateException("enough");
        };
    flow.orders.send(new Placed(why));
    flow.run();
    assertThat(caught).hasValue(1);
    assertThat(flow.orders.find(why)).isEmpty();
  }

  @Test
  void bad_messages_are_refused_when_they_are_sent() {
    assertThatThrownBy(() -> flow.orders.send("text"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage(
            "Process 'orders' has no step for java.lang.String; it has steps for [Overdue, Paid,"
                + " Placed, Reminder].");
    assertThatThrownBy(() -> flow.orders.send(new Placed(" ")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("its key is blank");
    assertThat(flow.waiting()).isZero();
  }

  record NoContract(String text) {}

  @Test
  void bad_descriptions_are_refused() {
    assertThatThrownBy(() -> Processes.of("p", Order.class).history(-1).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("one of them must start an instance")
        .hasMessageContaining("history");
    assertThatThrownBy(
            () ->
                Processes.of("p", Order.class)
                    .starts(Placed.class, Placed::orderId, (step, placed) -> step.state())
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("initial");
    assertThatThrownBy(
            () ->
                Processes.of("p", Order.class)
                    .on(Overdue.class, Overdue::orderId, (step, overdue) -> step.state())
                    .on(Overdue.class, Overdue::orderId, (step, overdue) -> step.state()))
        .hasMessageContaining("two steps for");
    Processes<NoContract> without =
        Processes.of("p", NoContract.class)
            .initial(NoContract::new)
            .starts(Placed.class, Placed::orderId, (step, placed) -> step.state())
            .build();
    assertThatThrownBy(() -> new OrderFlow(store, time, builder -> builder, b -> b.add(without)))
        .isInstanceOf(UnknownContractException.class)
        .hasMessageContaining("NoContract");
  }
}
