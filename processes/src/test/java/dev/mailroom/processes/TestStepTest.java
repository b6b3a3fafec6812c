package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Overdue;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.processes.OrderFlow.Reminder;
import dev.mailroom.processes.TestStep.RequestedTimeout;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TestStepTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant TOMORROW = ManualTime.START.plus(DAY);
  private static final Instant OVERDUE = ManualTime.START.plus(DAY.multipliedBy(3));

  private final TestStep<Order> step = TestStep.starting("4711", new Order("4711", "new", 0));

  private static Order place(Step<Order> step, Placed placed) {
    step.timeout("reminder", DAY, new Reminder(step.key()));
    step.timeout("overdue", OVERDUE, new Overdue(step.key()));
    step.send("mail", "confirmed " + placed.orderId());
    step.compensateWith("undo", "unreserve");
    step.compensateWith("undo", "unconfirm");
    return new Order(step.key(), step.isNew() ? "waiting" : "placed twice", 0);
  }

  private static Order pay(Step<Order> step, Paid paid) {
    step.send("mail", "shipped");
    step.complete();
    return new Order(step.key(), "paid", step.state().reminders());
  }

  private static Order remind(Step<Order> step, Reminder reminder) {
    step.send("mail", "reminded at " + step.now());
    return new Order(step.key(), "waiting", step.state().reminders() + 1);
  }

  private static Order cancel(Step<Order> step, Overdue overdue) {
    step.send("mail", "cancelled");
    step.fail("not paid");
    return new Order(step.key(), "cancelled", step.state().reminders());
  }

  @Test
  void showsWhatAStepAskedFor() throws Exception {
    Order next = step.run(TestStepTest::place, new Placed("4711"));

    assertThat(next).isEqualTo(new Order("4711", "waiting", 0)).isEqualTo(step.state());
    assertThat(step.status()).isEqualTo(ProcessStatus.RUNNING);
    assertThat(step.failure()).isEmpty();
    assertThat(step.sent("mail")).containsExactly("confirmed 4711");
    assertThat(step.sent("other")).isEmpty();
    assertThat(step.requestedTimeouts())
        .containsExactly(
            new RequestedTimeout("reminder", TOMORROW, new Reminder("4711")),
            new RequestedTimeout("overdue", OVERDUE, new Overdue("4711")));
    assertThat(step.cancelledTimeouts()).isEmpty();
    assertThat(step.compensations())
        .extracting(compensation -> compensation.message().payload())
        .containsExactly("unreserve", "unconfirm");
  }

  @Test
  void continuesWithWhatTheStepBeforeHasLeft() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));
    step.run(TestStepTest::pay, new Paid("4711"));

    assertThat(step.state()).isEqualTo(new Order("4711", "paid", 0));
    assertThat(step.status()).isEqualTo(ProcessStatus.COMPLETED);
    assertThat(step.sent("mail")).containsExactly("shipped");
    assertThat(step.requestedTimeouts()).isEmpty();
    assertThat(step.cancelledTimeouts()).containsExactly("reminder", "overdue");
    assertThat(step.timeouts()).isEmpty();
    assertThat(step.compensations()).isEmpty();
  }

  @Test
  void onlyTheFirstStepIsNew() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));

    assertThat(step.run(TestStepTest::place, new Placed("4711")).status())
        .isEqualTo("placed twice");
  }

  @Test
  void startsFromAGivenState() throws Exception {
    TestStep<Order> running = TestStep.running("4711", new Order("4711", "waiting", 2));

    assertThat(running.run(TestStepTest::place, new Placed("4711")).status())
        .isEqualTo("placed twice");
  }

  @Test
  void firesATimeoutWhenItIsDue() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));
    step.fire("reminder", TestStepTest::remind, new Reminder("4711"));

    assertThat(step.sent("mail")).containsExactly("reminded at " + TOMORROW);
    assertThat(step.timeouts()).containsExactly(entry("overdue", OVERDUE));
    assertThat(step.cancelledTimeouts()).isEmpty();
  }

  @Test
  void firesOnlyTimeoutsThatWait() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));
    step.fire("reminder", TestStepTest::remind, new Reminder("4711"));

    assertThatThrownBy(() -> step.fire("reminder", TestStepTest::remind, new Reminder("4711")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'reminder'")
        .hasMessageContaining("[overdue]");
  }

  @Test
  void aFailureSendsTheCompensationsInReverse() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));
    step.fire("overdue", TestStepTest::cancel, new Overdue("4711"));

    assertThat(step.status()).isEqualTo(ProcessStatus.FAILED);
    assertThat(step.failure()).contains("not paid");
    assertThat(step.sent("undo")).containsExactly("unconfirm", "unreserve");
    assertThat(step.sent()).extracting(AddressedMessage::inbox).startsWith("mail");
    assertThat(step.cancelledTimeouts()).containsExactly("reminder");
  }

  @Test
  void aStepThatThrowsLeavesNothing() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));

    assertThatThrownBy(
            () ->
                step.fire(
                    "reminder",
                    (broken, reminder) -> {
                      broken.send("mail", "lost");
                      broken.complete();
                      throw new IllegalStateException("broken");
                    },
                    new Reminder("4711")))
        .hasMessage("broken");

    assertThat(step.status()).isEqualTo(ProcessStatus.RUNNING);
    assertThat(step.state().status()).isEqualTo("waiting");
    assertThat(step.sent("mail")).containsExactly("confirmed 4711");
    assertThat(step.timeouts()).containsOnlyKeys("reminder", "overdue");
  }

  @Test
  void aTimeoutReplacesTheOneOfItsName() throws Exception {
    step.run(TestStepTest::place, new Placed("4711"));
    step.run(
        (again, placed) -> {
          again.timeout("reminder", DAY.multipliedBy(5), new Reminder("first"));
          again.timeout("reminder", DAY.multipliedBy(2), new Reminder("second"));
          again.cancelTimeout("none");
          return again.state();
        },
        new Placed("4711"));

    assertThat(step.requestedTimeouts())
        .containsExactly(
            new RequestedTimeout(
                "reminder", ManualTime.START.plus(DAY.multipliedBy(2)), new Reminder("second")));
    assertThat(step.cancelledTimeouts()).containsExactly("reminder");
  }

  @Test
  void theDeliveryHasTheOptionsOfTheTest() throws Exception {
    UUID id = new UUID(1, 2);
    step.run(
        (paying, paid) -> {
          assertThat(paying.delivery().groupKey()).isEqualTo("4711");
          assertThat(paying.delivery().message().contract().name()).isEqualTo("test.paid");
          assertThat(paying.now()).isEqualTo(TOMORROW);
          paying.send("mail", "text");
          return paying.state();
        },
        new Paid("4711"),
        options -> options.tenant("acme").messageId(id).time(TOMORROW));

    WriteOptions options = step.sent().get(0).message().options();
    assertThat(options.tenant()).isEqualTo("acme");
    assertThat(options.causationId()).isEqualTo(id.toString());
  }

  @Test
  void anInstanceThatHasEndedGetsNoMoreMessages() throws Exception {
    step.run(TestStepTest::pay, new Paid("4711"));

    assertThatThrownBy(() -> step.run(TestStepTest::pay, new Paid("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("COMPLETED");
  }

  @Test
  void refusesWhatAStepInAMailroomIsRefused() {
    assertThatThrownBy(() -> step.run((bad, placed) -> ended(bad), new Placed("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has ended the process of '4711' already");
    assertThatThrownBy(() -> step.run((bad, placed) -> negative(bad), new Placed("4711")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("must not be negative");
    assertThatThrownBy(() -> step.run((bad, placed) -> null, new Placed("4711")))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("new state");
  }

  private static Order ended(Step<Order> step) {
    step.complete();
    step.send("mail", "too late");
    return step.state();
  }

  private static Order negative(Step<Order> step) {
    step.timeout("reminder", Duration.ofSeconds(-1), new Reminder("4711"));
    return step.state();
  }
}
