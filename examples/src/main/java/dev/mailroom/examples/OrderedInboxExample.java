package dev.mailroom.examples;

import dev.mailroom.Delivery;
import dev.mailroom.HasGroupKey;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One message at a time, in order per group: each account's bookings happen one after another. The
 * first booking of Ada's account fails at the first try; her second waits for it, Bob's do not.
 */
public final class OrderedInboxExample {
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch booked = new CountDownLatch(5);

  OrderedInboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "bank.amount-booked")
  record AmountBooked(String account, int amount) implements HasGroupKey {
    @Override
    public String groupKey() {
      return account;
    }
  }

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new OrderedInboxExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox(
                "bookings",
                inbox ->
                    inbox
                        .options(options -> options.ordering(Ordering.REQUIRED).retry(SOON))
                        .handler(AmountBooked.class, this::book))
            .build();
    try (mailroom) {
      mailroom.start();
      Inbox bookings = mailroom.inbox("bookings");
      bookings.write(new AmountBooked("ada", 100));
      bookings.write(new AmountBooked("bob", 7));
      bookings.write(new AmountBooked("ada", -30));
      bookings.write(new AmountBooked("bob", 8));
      bookings.write(new AmountBooked("ada", -70));
      Waiting.on(booked);
    }
  }

  private Result book(Delivery<AmountBooked> delivery) {
    AmountBooked booking = delivery.payload();
    if (booking.amount() == 100 && delivery.attempt() == 1) {
      out.accept("ada: 100 failed, and what comes after it waits");
      return Result.fail("the ledger is locked");
    }
    out.accept(booking.account() + ": " + booking.amount() + " is booked");
    booked.countDown();
    return Result.success();
  }
}
