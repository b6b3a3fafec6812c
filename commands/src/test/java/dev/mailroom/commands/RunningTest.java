package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.commands.Bank.Node;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.commands.Bank.Refund;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.DurableExecution;
import dev.mailroom.mediator.ErrorOutcome;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Trace;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How stored commands run: through the mediator, with the fate of any message. */
class RunningTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bank bank = new Bank();
  private final List<String> steps = new ArrayList<>();

  private static List<DeadLetter> dead(Node node) {
    return node.commands.deadLetters().list(DeadLetterFilter.all(), 10).letters();
  }

  /** Fails whatever the command. */
  private static void fail(Command command) {
    throw new IllegalStateException("cannot do " + command);
  }

  @Test
  void the_whole_pipeline_runs() {
    Node node =
        bank.node(
            mediator ->
                mediator
                    .validator(Pay.class, (command, validation) -> steps.add("validator"))
                    .preHandler(Command.class, (command, context) -> steps.add("before"))
                    .command(Pay.class, (command, context) -> steps.add("handler"))
                    .postHandler(Pay.class, (command, result, context) -> steps.add("after")),
            options -> {});
    node.commands.schedule(new Pay("a"));

    node.run();

    assertThat(steps).containsExactly("validator", "before", "handler", "after");
    assertThat(node.waiting()).isEmpty();
  }

  @Test
  void the_context_says_that_a_stored_command_is_behind_the_call() {
    List<@Nullable DurableExecution> executions = new ArrayList<>();
    Node node =
        bank.node(
            (command, context) -> {
              executions.add(context.durable());
              if (executions.size() == 1) {
                fail(command);
              }
            });
    CommandReceipt receipt =
        node.commands.schedule(
            new Pay("a"),
            options -> options.correlationId("order-1").causationId("click").tenant("acme"));

    node.run();
    bank.pass(HOUR);
    node.run();

    DurableExecution second = Objects.requireNonNull(executions.get(1));
    assertThat(second.messageId()).isEqualTo(receipt.id());
    assertThat(executions)
        .extracting(each -> Objects.requireNonNull(each).attempt())
        .containsExactly(1, 2);
    assertThat(second.correlationId()).isEqualTo("order-1");
    assertThat(second.causationId()).isEqualTo("click");
    assertThat(second.tenant()).isEqualTo("acme");
  }

  @Test
  void the_context_carries_the_trace_under_which_the_command_was_scheduled() {
    List<@Nullable String> traces = new ArrayList<>();
    Mediator mediator =
        Mediator.builder()
            .command(
                Pay.class,
                (command, context) ->
                    traces.add(Objects.requireNonNull(context.durable()).trace().traceParent()))
            .build();
    CommandSchedule commands = CommandSchedule.builder().mediator(mediator).build();
    bank.mailroom(bank.time).telemetry(new Tracing()).add(commands).build();
    commands.schedule(new Pay("a"));

    commands.processPending();

    assertThat(traces).containsExactly(Tracing.PARENT);
  }

  /** Everything is written under one trace. */
  private static final class Tracing implements Telemetry, Telemetry.Scope {
    static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Override
    public void count(Counter counter, Tags tags, long amount) {}

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Telemetry.Scope open(Span span, Tags tags, Trace parent) {
      return this;
    }

    @Override
    public void failed(Throwable error) {}

    @Override
    public String traceParent() {
      return PARENT;
    }

    @Override
    public @Nullable String traceState() {
      return null;
    }

    @Override
    public void close() {}
  }

  @Test
  void what_a_handler_writes_in_its_deliverys_transaction_commits_with_the_command() {
    CommandSchedule storing = bank.storing();
    Node node =
        bank.node(
            (command, context) -> {
              var delivery = Objects.requireNonNull(context.get(CommandSchedule.DELIVERY));
              storing.schedule(
                  new Refund(command.account() + delivery.attempt()),
                  options -> options.in(delivery.transaction()));
              if (delivery.attempt() == 1) {
                fail(command);
              }
            });
    node.commands.schedule(new Pay("a"));

    node.run();
    bank.pass(HOUR);
    node.run();

    assertThat(node.waiting())
        .as("the refund of the attempt that succeeded")
        .extracting(found -> found.message().routing().groupKey())
        .containsExactly("a2");
  }

  @Test
  void a_failed_command_is_retried_and_becomes_a_dead_letter() {
    Node node =
        bank.node(
            mediator -> mediator.command(Pay.class, (command, context) -> fail(command)),
            options -> options.retry(RetryPolicy.builder().attempts(2).build()));
    CommandReceipt receipt = node.commands.schedule(new Pay("a"));

    node.run();
    assertThat(dead(node)).isEmpty();
    bank.pass(HOUR);
    node.run();

    assertThat(dead(node)).hasSize(1);
    assertThat(dead(node).get(0).message().id()).isEqualTo(receipt.id());
    assertThat(dead(node).get(0).error().message()).contains("cannot do Pay[account=a]");
    assertThat(node.commands.deadLetters().redrive(DeadLetterFilter.all())).isEqualTo(1);
  }

  @Test
  void an_error_handler_that_only_observes_does_not_complete_a_failed_command() {
    Node node =
        bank.node(
            mediator ->
                mediator
                    .command(Pay.class, (command, context) -> fail(command))
                    .errorHandler(
                        Command.class,
                        (command, error, context) -> {
                          steps.add(error.getMessage());
                          return ErrorOutcome.UNHANDLED;
                        }),
            options -> options.retry(RetryPolicy.builder().attempts(1).build()));
    node.commands.schedule(new Pay("a"));

    node.run();

    assertThat(steps).containsExactly("cannot do Pay[account=a]");
    assertThat(dead(node)).hasSize(1);
  }

  @Test
  void an_error_that_was_handled_completes_the_command() {
    Node node =
        bank.node(
            mediator ->
                mediator
                    .command(Pay.class, (command, context) -> fail(command))
                    .errorHandler(Command.class, (command, error, context) -> ErrorOutcome.HANDLED),
            options -> {});
    node.commands.schedule(new Pay("a"));

    node.run();

    assertThat(node.waiting()).isEmpty();
    assertThat(dead(node)).isEmpty();
  }

  @Test
  void a_command_that_validators_reject_fails() {
    Node node =
        bank.node(
            mediator ->
                mediator
                    .command(Pay.class, bank.paying())
                    .validator(
                        Pay.class,
                        (command, validation) -> validation.reject("account", "is closed")),
            options -> options.retry(RetryPolicy.builder().attempts(1).build()));
    node.commands.schedule(new Pay("a"));

    node.run();

    assertThat(bank.paid).isEmpty();
    assertThat(dead(node)).hasSize(1);
  }

  @Test
  void a_call_that_a_handler_aborts_completes_the_command() {
    Node node =
        bank.node(
            mediator ->
                mediator
                    .preHandler(Pay.class, (command, context) -> context.abort())
                    .command(Pay.class, bank.paying()),
            options -> {});
    node.commands.schedule(new Pay("a"));

    node.run();

    assertThat(bank.paid).isEmpty();
    assertThat(node.waiting()).isEmpty();
  }

  @Test
  void one_command_can_have_retries_of_its_own() {
    Mediator mediator =
        Mediator.builder()
            .command(Pay.class, (command, context) -> fail(command))
            .command(Refund.class, (command, context) -> fail(command))
            .build();
    CommandSchedule commands =
        CommandSchedule.builder()
            .mediator(mediator)
            .command(Refund.class, options -> options.attempts(1))
            .build();
    Mailroom mailroom = bank.mailroom(bank.time).add(commands).build();
    commands.schedule(new Pay("a"));
    CommandReceipt refund = commands.schedule(new Refund("a"));

    new ManualEngine(mailroom, commands.name()).run();

    assertThat(commands.deadLetters().list(DeadLetterFilter.all(), 10).letters())
        .extracting(letter -> letter.message().id())
        .containsExactly(refund.id());
  }

  @Test
  void batch_size_lease_retries_and_concurrency_are_the_schedules_own() {
    Node node =
        bank.node(
            mediator -> mediator.command(Pay.class, (command, context) -> fail(command)),
            options ->
                options
                    .readBatch(2)
                    .concurrency(1)
                    .lease(Duration.ofSeconds(10))
                    .retry(
                        RetryPolicy.builder().backoff(Backoff.fixed(HOUR).withJitter(0)).build()));
    for (int i = 0; i < 5; i++) {
      node.commands.schedule(new Pay("a" + i));
    }

    node.engine.fetch();
    assertThat(node.engine.buffered()).as("a batch").isLessThanOrEqualTo(2).isPositive();
    bank.pass(Duration.ofSeconds(10));
    assertThat(bank.node().engine.reclaim()).as("the lease is over").isPositive();

    node.commands.schedule(new Pay("b"));
    node.run();
    assertThat(node.due()).as("the back-off").contains(bank.time.now().plus(HOUR));
  }

  @Test
  void a_command_that_this_process_has_no_handler_for_is_parked() {
    CommandReceipt receipt = bank.storing().schedule(new Refund("a"));
    Node node = bank.node();

    node.run();

    var found = node.commands.inspect().find(receipt.id()).orElseThrow();
    assertThat(found.state()).isEqualTo(MessageState.SCHEDULED);
    assertThat(found.message().progress().parkedSince()).isNotNull();
    assertThat(found.message().progress().attempts()).isZero();
  }

  @Test
  void a_command_of_an_unknown_contract_is_parked() {
    Mailroom other =
        bank.mailroom(bank.time)
            .contract(String.class, "bank.of-tomorrow", 1)
            .inbox("commands", inbox -> {})
            .build();
    var id = other.inbox("commands").write("x", WriteOptions.defaults()).messageId();
    Node node = bank.node();

    node.run();

    var found = node.commands.inspect().find(id).orElseThrow();
    assertThat(found.message().progress().parkedSince()).isNotNull();
  }

  @Test
  void one_pass_runs_everything_that_is_due() {
    Node node = bank.node();
    node.commands.schedule(new Pay("a"));
    node.commands.schedule(new Pay("b"));
    node.commands.schedule(new Pay("later"), options -> options.delay(HOUR));

    assertThat(node.commands.processPending()).isEqualTo(2);

    assertThat(bank.paid).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void in_the_background_the_mailrooms_engine_runs_them() throws InterruptedException {
    CountDownLatch run = new CountDownLatch(2);
    Mediator mediator =
        Mediator.builder().command(Pay.class, (command, context) -> run.countDown()).build();
    CommandSchedule commands = CommandSchedule.builder().mediator(mediator).build();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .time(TimeSource.system())
            .codec(new JacksonCodec())
            .add(commands)
            .build()) {
      commands.schedule(new Pay("before the start"));
      mailroom.start();
      commands.schedule(new Pay("after"), options -> options.delay(Duration.ofMillis(10)));

      run.await();
    }

    assertThat(run.getCount()).isZero();
  }
}
