package dev.mailroom.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.test.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Timeouts of processes in a store that may lose them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessDurabilityTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  private Processes<Order> run(
      StepHandler<Order, Placed> step, UnaryOperator<ProcessesBuilder<Order>> more) {
    Processes<Order> orders =
        more.apply(
                Processes.of("orders", Order.class)
                    .initial(key -> new Order(key, "new", 0))
                    .starts(Placed.class, Placed::orderId, step)
                    .options(options -> options.retry(RetryPolicy.of(retry -> retry.attempts(1)))))
            .build();
    try (Mailroom mailroom =
        Mailroom.builder().store(store).time(time).codec(new JacksonCodec()).add(orders).build()) {
      orders.send(new Placed("1"));
      mailroom.processPending();
    }
    return orders;
  }

  private static Order delayed(Step<Order> step, Placed placed) {
    step.timeout("again", Duration.ofDays(1), placed);
    return step.state();
  }

  private static Order dated(Step<Order> step, Placed placed) {
    step.timeout("again", step.now().plus(Duration.ofDays(1)), placed);
    return step.state();
  }

  private void assertRefused(Processes<Order> orders) {
    assertThat(orders.find("1")).isEmpty();
    assertThat(orders.deadLetters().stream(DeadLetterFilter.all()))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.error().type()).contains("WeakDurabilityException");
              assertThat(letter.error().message())
                  .contains("Processes.of(…).acceptWeakDurability()");
            });
  }

  @Test
  void a_step_that_requests_a_timeout_is_refused() {
    assertRefused(run(ProcessDurabilityTest::delayed, builder -> builder));
  }

  @Test
  void so_is_one_that_requests_it_at_a_time() {
    assertRefused(run(ProcessDurabilityTest::dated, builder -> builder));
  }

  @Test
  void the_log_says_so_when_the_mailroom_is_built() {
    assertThat(logged(() -> run((step, placed) -> step.state(), builder -> builder)))
        .contains("WARN", "'orders'", "a step that requests a timeout will be refused");
    assertThat(
            logged(
                () -> run((step, placed) -> step.state(), ProcessesBuilder::acceptWeakDurability)))
        .doesNotContain("will be refused");
  }

  /** The simple logger writes to the standard error stream of the moment. */
  private static String logged(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return bytes.toString(UTF_8);
  }

  @Test
  void a_process_without_timeouts_is_not_refused() {
    Processes<Order> orders = run((step, placed) -> step.state(), builder -> builder);

    assertThat(orders.find("1")).isPresent();
  }

  @Test
  void weak_durability_can_be_accepted() {
    Processes<Order> orders =
        run(ProcessDurabilityTest::delayed, ProcessesBuilder::acceptWeakDurability);

    assertThat(orders.find("1").orElseThrow().timeouts()).containsOnlyKeys("again");
  }

  @Test
  void a_negative_delay_of_a_timeout_is_refused() {
    Processes<Order> orders =
        run(
            (step, placed) -> {
              step.timeout("again", Duration.ofSeconds(-1), placed);
              return step.state();
            },
            ProcessesBuilder::acceptWeakDurability);

    assertThat(orders.deadLetters().stream(DeadLetterFilter.all()))
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.error().message()).contains("PT-1S", "must not be negative"));
  }
}
