package dev.mailroom.benchmarks;

import dev.mailroom.Inbox;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.Result;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.EventDispatcher;
import dev.mailroom.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A backlog in the in-memory store, drained by an inbox with a handler, or by an outbox that
 * dispatches to the same handler through a mediator.
 */
final class InMemoryDrain implements Contender {
  private static final int CONCURRENCY = 10;
  private static final int BATCH = 500;

  private final Setup setup;
  private AtomicInteger left = new AtomicInteger();
  private CountDownLatch all = new CountDownLatch(1);
  private @Nullable Mailroom mailroom;

  /**
   * What to measure.
   *
   * @param name its name in the table
   * @param goal the ratio to the first contender that it is meant to reach; 0 if there is none
   * @param outbox whether it is an outbox
   * @param ordering the option of that name
   * @param keys the number of keys; 0 means none
   */
  record Setup(String name, double goal, boolean outbox, Ordering ordering, int keys) {}

  InMemoryDrain(Setup setup) {
    this.setup = setup;
  }

  @Override
  public String name() {
    return setup.name();
  }

  @Override
  public double goal() {
    return setup.goal();
  }

  @Override
  public void prepare(int messages) {
    left = new AtomicInteger(messages);
    all = new CountDownLatch(1);
    MailroomBuilder builder =
        Mailroom.builder()
            .store(MemoryStore.builder().capacity(messages + 1).build())
            .contract(byte[].class, "bench.payload", 1);
    mailroom = (setup.outbox() ? builder.add(outbox()) : inbox(builder)).build();
    write(mailroom.inbox("bench"), messages);
  }

  private Outbox outbox() {
    Mediator mediator =
        Mediator.builder().event(byte[].class, (event, context) -> handled()).build();
    return Outbox.builder()
        .name("bench")
        .dispatcher(new EventDispatcher(mediator))
        .options(this::options)
        .build();
  }

  private MailroomBuilder inbox(MailroomBuilder builder) {
    return builder.inbox(
        "bench",
        inbox ->
            inbox
                .options(this::options)
                .handler(
                    byte[].class,
                    delivery -> {
                      handled();
                      return Result.success();
                    }));
  }

  private InboxOptionsBuilder options(InboxOptionsBuilder options) {
    return options.ordering(setup.ordering()).concurrency(CONCURRENCY).readBatch(BATCH);
  }

  private void handled() {
    if (left.decrementAndGet() == 0) {
      all.countDown();
    }
  }

  private void write(Inbox inbox, int messages) {
    byte[] payload = new byte[200];
    List<Object> batch = new ArrayList<>(BATCH);
    for (int n = 0; n < messages; n++) {
      String key = "key-" + (setup.keys() == 0 ? 0 : n % setup.keys());
      batch.add(
          setup.keys() == 0 ? payload : Outgoing.of(payload, options -> options.groupKey(key)));
      if (batch.size() == BATCH || n == messages - 1) {
        inbox.writeAll(batch);
        batch.clear();
      }
    }
  }

  @Override
  public void run(int messages) throws InterruptedException {
    try (Mailroom running = mailroom) {
      if (running != null) {
        running.start();
        all.await();
      }
    }
  }

  @Override
  public void finish(int messages) {
    mailroom = null;
    if (left.get() != 0) {
      throw new IllegalStateException("Messages were handled twice: " + left.get());
    }
  }
}
