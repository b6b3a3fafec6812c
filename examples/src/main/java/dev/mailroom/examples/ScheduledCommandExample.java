package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.commands.CommandReceipt;
import dev.mailroom.commands.CommandSchedule;
import dev.mailroom.commands.IdempotentCommand;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A command that runs now, and the same command that runs later: a reminder is scheduled twice and
 * stored once, the mail server is down at the first try, one reminder is cancelled.
 */
public final class ScheduledCommandExample {
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch sent = new CountDownLatch(2);

  ScheduledCommandExample(Consumer<String> out) {
    this.out = out;
  }

  // command:begin
  @MessageContract(name = "invoices.send-reminder")
  record SendReminder(String invoice) implements IdempotentCommand {
    @Override
    public String idempotencyKey() {
      return "reminder-" + invoice;
    }
  }

  // command:end

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new ScheduledCommandExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    // setup:begin
    Mediator mediator = Mediator.builder().command(SendReminder.class, this::send).build();
    CommandSchedule commands =
        CommandSchedule.builder()
            .mediator(mediator)
            .options(options -> options.concurrency(4).retry(SOON))
            .build();
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .add(commands)
            .build();
    // setup:end
    try (mailroom) {
      mailroom.start();
      mediator.send(new SendReminder("1000"));
      // schedule:begin
      CommandReceipt receipt =
          commands.schedule(
              new SendReminder("4711"),
              options ->
                  options
                      .delay(Duration.ofMillis(20))
                      .correlationId("order-12")
                      .groupKey("customer-7"));
      // schedule:end
      out.accept("4711 is scheduled: " + receipt.status());
      out.accept("4711 again: " + commands.schedule(new SendReminder("4711")).status());
      CommandReceipt other =
          commands.schedule(new SendReminder("4712"), options -> options.delay(Duration.ofDays(3)));
      out.accept("4712 is cancelled: " + commands.cancel(other.id()));
      Waiting.on(sent);
    }
  }

  // handler:begin
  private void send(SendReminder command, ExecutionContext context) {
    boolean later = context.durable() != null;
    if (later && Objects.requireNonNull(context.durable()).attempt() == 1) {
      throw new IllegalStateException("the mail server is down"); // it is retried
    }
    out.accept("reminder of " + command.invoice() + (later ? " later" : " now"));
    sent.countDown();
  }

  // handler:end
}
