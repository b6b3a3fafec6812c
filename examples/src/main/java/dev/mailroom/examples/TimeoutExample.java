package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Due;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.processes.FiredTimeout;
import dev.mailroom.processes.Timeouts;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * An order that is not paid: a reminder is due, the mail server is down at the first try, and a
 * second order is paid in time, so that its reminder is cancelled; a third one's is moved.
 */
public final class TimeoutExample {
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch reminded = new CountDownLatch(2);

  TimeoutExample(Consumer<String> out) {
    this.out = out;
  }

  // order:begin
  @MessageContract(name = "orders.unpaid")
  record Unpaid(String order) {}

  // order:end

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new TimeoutExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    // setup:begin
    Timeouts timeouts =
        Timeouts.builder()
            .destination("remind", this::remind)
            .options(options -> options.retry(SOON))
            .acceptWeakDurability() // of a store in memory; leave it out for a durable database
            .build();
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .add(timeouts)
            .build();
    // setup:end
    try (mailroom) {
      mailroom.start();
      // request:begin
      timeouts.request(
          "remind",
          timeout ->
              timeout
                  .after(Duration.ofMillis(20))
                  .key("remind/4711")
                  .payload(new Unpaid("4711"))
                  .header("level", 1)
                  .correlationId("order-4711"));
      // request:end
      request(timeouts, "4712");
      request(timeouts, "4713");
      out.accept("4712 is paid: " + timeouts.cancel("remind/4712"));
      // move:begin
      boolean moved = timeouts.reschedule("remind/4713", Due.after(Duration.ofMillis(100)));
      // move:end
      out.accept("4713 is reminded earlier: " + moved);
      Waiting.on(reminded);
    }
  }

  private static void request(Timeouts timeouts, String order) {
    timeouts.request(
        "remind",
        timeout ->
            timeout
                .after(Duration.ofDays(1))
                .key("remind/" + order)
                .payload(new Unpaid(order))
                .header("level", 2));
  }

  // destination:begin
  private Result remind(FiredTimeout timeout) {
    Unpaid unpaid = timeout.payload(Unpaid.class);
    if (timeout.attempt() == 1) {
      return Result.fail("the mail server is down"); // it is retried
    }
    out.accept("reminder of " + unpaid.order() + ", level " + timeout.headers().get("level"));
    reminded.countDown();
    return Result.success();
  }

  // destination:end
}
