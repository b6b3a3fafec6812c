package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.memory.MemoryStore;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.processes.ProcessEvent.Kind;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Instances that have ended. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstanceExpiryTest {
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

  private void pay() {
    flow.orders.send(new Paid("1"));
    flow.run();
  }

  @Test
  void an_ended_instance_can_be_looked_at_for_a_while() {
    described(builder -> builder.keep(OrderFlow.DAY).history(10));
    place();
    flow.orders.send(new Paid("1"));
    flow.run();
    ProcessInstance<Order> ended = flow.orders.find("1").orElseThrow();
    assertThat(ended.status()).isEqualTo(ProcessStatus.COMPLETED);
    assertThat(ended.state().status()).isEqualTo("paid");
    assertThat(ended.history()).extracting(ProcessEvent::kind).endsWith(Kind.TIMEOUT_CANCELLED);

    time.advance(OrderFlow.DAY);
    flow.run();
    assertThat(flow.orders.find("1")).isEmpty();
  }

  @Test
  void an_ended_instance_can_start_again_and_is_not_forgotten_then() {
    described(builder -> builder.keep(OrderFlow.DAY));
    place();
    flow.orders.send(new Paid("1"));
    flow.orders.send(new Placed("1"));
    flow.run();
    assertThat(flow.orders.find("1").orElseThrow().status()).isEqualTo(ProcessStatus.RUNNING);

    time.advance(OrderFlow.DAY);
    flow.run();
    assertThat(flow.orders.find("1").orElseThrow().state()).isEqualTo(new Order("1", "waiting", 1));
  }

  @Test
  void an_instance_that_runs_is_not_forgotten_for_another_of_the_same_version() {
    described(builder -> builder.keep(OrderFlow.DAY.multipliedBy(2)));
    place();
    pay();
    long ended = flow.orders.find("1").orElseThrow().version();
    described(builder -> builder.keep(Duration.ofHours(1)));
    place();
    pay();
    time.advance(Duration.ofHours(1));
    flow.run();
    assertThat(flow.orders.find("1")).as("the second one is forgotten").isEmpty();

    place();
    time.advance(OrderFlow.DAY);
    flow.run();
    assertThat(flow.orders.find("1").orElseThrow().version())
        .as("the third one, reminded")
        .isEqualTo(ended);
    time.advance(OrderFlow.DAY);
    flow.run();

    assertThat(flow.orders.find("1")).isPresent();
  }
}
