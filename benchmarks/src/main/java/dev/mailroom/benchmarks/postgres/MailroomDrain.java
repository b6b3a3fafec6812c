package dev.mailroom.benchmarks.postgres;

import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.Result;
import dev.mailroom.benchmarks.Contender;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.EventDispatcher;
import dev.mailroom.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Mailroom draining what is there when it starts. The time ends when the engine has stopped, which
 * is after the last outcome was stored.
 */
final class MailroomDrain implements Contender {
  static final String INBOX = "bench";
  private static final int WRITE_BATCH = 1_000;

  private final BenchDatabase database;
  private final DataSource pool;
  private final Setup setup;
  private Ledger ledger = new Ledger(0);

  /** How handlers are called. */
  enum Handlers {
    /** One call per message. */
    SINGLE,
    /** One call per batch. */
    BATCHED,
    /** One call per batch, which is completed in the handler's transaction. */
    TRANSACTIONAL,
    /** One call per event of an outbox, through a mediator. */
    OUTBOX
  }

  /**
   * What to measure.
   *
   * @param name its name in the table
   * @param goal the ratio to the floor that it is meant to reach; 0 if there is none
   * @param handlers how handlers are called
   * @param groups the number of ordered groups; 0 means unordered
   * @param readBatch the option of that name
   * @param concurrency the option of that name
   */
  record Setup(
      String name, double goal, Handlers handlers, int groups, int readBatch, int concurrency) {}

  MailroomDrain(BenchDatabase database, DataSource pool, Setup setup) {
    this.database = database;
    this.pool = pool;
    this.setup = setup;
  }

  @Override
  public String name() {
    return String.format(
        "%s (readBatch %,d, concurrency %d)", setup.name(), setup.readBatch(), setup.concurrency());
  }

  @Override
  public double goal() {
    return setup.goal();
  }

  @Override
  public void prepare(int messages) throws Exception {
    database.empty();
    ledger = new Ledger(messages);
    try (JdbcStore store = store();
        Mailroom mailroom = mailroom(store)) {
      List<Object> batch = new ArrayList<>(WRITE_BATCH);
      for (int number = 0; number < messages; number++) {
        batch.add(outgoing(number));
        if (batch.size() == WRITE_BATCH || number == messages - 1) {
          mailroom.inbox(INBOX).writeAll(batch);
          batch.clear();
        }
      }
    }
    database.settleDown();
  }

  private Object outgoing(int number) {
    Order order = Order.of(number);
    return setup.groups() == 0
        ? order
        : Outgoing.of(order, options -> options.groupKey("group-" + number % setup.groups()));
  }

  @Override
  public void run(int messages) throws Exception {
    try (JdbcStore store = store();
        Mailroom mailroom = mailroom(store)) {
      mailroom.start();
      ledger.awaitAll();
    }
  }

  @Override
  public void finish(int messages) throws Exception {
    ledger.check();
    database.requireRows("mailroom_message", 0);
    database.requireRows("mailroom_lease", 0);
  }

  private JdbcStore store() {
    return JdbcStore.builder(pool).migrateAtStart(true).build();
  }

  private Mailroom mailroom(JdbcStore store) {
    MailroomBuilder builder =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .contract(Order.class, "bench.order", 1);
    return setup.handlers() == Handlers.OUTBOX
        ? builder.add(outbox()).build()
        : builder.inbox(INBOX, inbox -> handle(inbox.options(this::options))).build();
  }

  private Outbox outbox() {
    Mediator mediator =
        Mediator.builder().event(Order.class, (order, context) -> ledger.handle(order)).build();
    return Outbox.builder()
        .name(INBOX)
        .dispatcher(new EventDispatcher(mediator))
        .options(this::options)
        .build();
  }

  private InboxOptionsBuilder options(InboxOptionsBuilder options) {
    return options
        .ordering(setup.groups() == 0 ? Ordering.NONE : Ordering.REQUIRED)
        .readBatch(setup.readBatch())
        .concurrency(setup.concurrency());
  }

  private void handle(InboxBuilder inbox) {
    switch (setup.handlers()) {
      case SINGLE ->
          inbox.handler(
              Order.class,
              delivery -> {
                ledger.handle(delivery.payload());
                return Result.success();
              });
      case BATCHED ->
          inbox.batchHandler(
              Order.class,
              batch -> {
                batch.deliveries().forEach(delivery -> ledger.handle(delivery.payload()));
                return batch.allSucceeded();
              });
      case TRANSACTIONAL ->
          inbox.batchHandler(
              Order.class,
              batch -> {
                batch.transaction();
                batch.deliveries().forEach(delivery -> ledger.handle(delivery.payload()));
                return batch.allSucceeded();
              });
      case OUTBOX -> throw new IllegalStateException("An outbox has a dispatcher.");
    }
  }
}
