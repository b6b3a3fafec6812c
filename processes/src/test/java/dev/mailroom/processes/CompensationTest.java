package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What becomes of an instance whose step fails permanently. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompensationTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final OrderFlow flow =
      new OrderFlow(store, time, ProcessesBuilder::failOnDeadLetter, builder -> {});

  private void place() {
    flow.orders.send(new Placed("1"));
    flow.run();
  }

  /** Pays, as often as a step is tried. */
  private void pay(OrderFlow.StepAction stepAction) {
    flow.stepAction = stepAction;
    flow.orders.send(new Paid("1"));
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(flow.undone()).isEmpty();
      flow.run();
      time.advance(Duration.ofSeconds(1));
    }
  }

  private void assertGivenUp() {
    assertThat(flow.undone()).containsExactly("unconfirm 1", "unreserve 1");
    assertThat(flow.orders.find("1")).isEmpty();
    assertThat(flow.waiting()).isZero();
    assertThat(flow.mail()).containsExactly("confirmed 1");
  }

  @Test
  void when_a_step_dies_the_instance_is_given_up_and_undone() {
    place();
    pay(
        step -> {
          throw new IllegalStateException("never");
        });

    assertGivenUp();
  }

  @Test
  void so_it_is_when_a_step_dies_of_an_error() {
    place();
    pay(
        step -> {
          throw new AssertionError("never");
        });

    assertGivenUp();
  }

  @Test
  void so_it_is_when_what_a_step_asks_for_cannot_be_stored() {
    place();
    pay(step -> step.send("orders", new Paid("2"))); // which is ordered, and this has no key

    assertGivenUp();
  }

  @Test
  void so_it_is_when_a_step_answers_nothing() {
    Processes<Order> silent =
        Processes.of("silent", Order.class)
            .initial(key -> new Order(key, "new", 0))
            .starts(Placed.class, Placed::orderId, (step, placed) -> undoable(step))
            .on(Paid.class, Paid::orderId, (step, paid) -> null)
            .failOnDeadLetter()
            .options(options -> options.retry(OrderFlow.RETRY))
            .build();
    OrderFlow around = new OrderFlow(store, time, builder -> builder, more -> more.add(silent));
    silent.send(new Placed("1"));
    silent.send(new Paid("1"));
    for (int attempt = 0; attempt < 3; attempt++) {
      silent.processPending();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(around.undone()).containsExactly("undo it");
    assertThat(silent.find("1")).isEmpty();
  }

  private static Order undoable(Step<Order> step) {
    step.compensateWith("undo", "undo it");
    return step.state();
  }

  @Test
  void a_step_that_is_interrupted_does_not_give_up_what_can_still_go_on() {
    place();
    pay(
        step -> {
          throw new InterruptedException("the engine stops");
        });

    assertThat(flow.undone()).isEmpty();
    assertThat(flow.orders.find("1").orElseThrow().status()).isEqualTo(ProcessStatus.RUNNING);
    assertThat(flow.orders.deadLetters().list(DeadLetterFilter.all(), 10).letters()).hasSize(1);
  }

  @Test
  void an_instance_that_outgrows_a_payload_is_refused_with_a_reason() {
    place();
    flow.stepAction =
        step -> {
          step.compensateWith("undo", "x".repeat(600_000));
          step.compensateWith("undo", "y".repeat(600_000));
        };
    time.advance(OrderFlow.DAY);
    flow.run();

    assertThat(flow.orders.find("1").orElseThrow().state().reminders()).isZero();
    assertThat(flow.lastError()).contains("mailroom.process", "at most 1048576");
  }
}
