package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.Inbox;
import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import dev.mailroom.benchmarks.postgres.Order;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import java.sql.SQLException;
import java.util.List;

/** An inbox with one handler on the JDBC store. */
final class MailroomContender implements Contender {
  private static final String INBOX = "bench";
  private static final int APPENDS_AT_ONCE = 2;

  private final MailroomTables tables;
  private final JdbcStore store;
  private final Mailroom mailroom;
  private final Inbox inbox;

  private MailroomContender(MailroomTables tables, JdbcStore store, Mailroom mailroom) {
    this.tables = tables;
    this.store = store;
    this.mailroom = mailroom;
    this.inbox = mailroom.inbox(INBOX);
  }

  static MailroomContender open(Place place, Setup setup, Mode mode) throws SQLException {
    MailroomTables tables = new MailroomTables(place.pool());
    tables.empty();
    JdbcStore store = JdbcStore.builder(place.pool()).migrateAtStart(true).build();
    Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .contract(Order.class, "bench.order", 1)
            .inbox(
                INBOX,
                builder ->
                    handle(
                        builder.options(options -> options(options, setup, mode)),
                        mode,
                        place.ledger()))
            .build();
    return new MailroomContender(tables, store, mailroom);
  }

  private static InboxOptionsBuilder options(InboxOptionsBuilder options, Setup setup, Mode mode) {
    return options
        .ordering(mode == Mode.ORDERED ? Ordering.REQUIRED : Ordering.NONE)
        .coalescing(mode == Mode.COALESCING)
        .writeConcurrency(mode == Mode.COALESCING ? APPENDS_AT_ONCE : 1)
        .readBatch(setup.batch())
        .concurrency(setup.threads());
  }

  private static void handle(InboxBuilder builder, Mode mode, Ledger ledger) {
    switch (mode) {
      case SINGLE, ORDERED, COALESCING ->
          builder.handler(
              Order.class,
              delivery -> {
                ledger.handled(delivery.payload().index());
                return Result.success();
              });
      case BATCHED ->
          builder.batchHandler(
              Order.class,
              batch -> {
                batch.deliveries().forEach(each -> ledger.handled(each.payload().index()));
                return batch.allSucceeded();
              });
      case TRANSACTIONAL ->
          builder.batchHandler(
              Order.class,
              batch -> {
                batch.transaction();
                batch.deliveries().forEach(each -> ledger.handled(each.payload().index()));
                return batch.allSucceeded();
              });
    }
  }

  @Override
  public void append(List<Job> jobs) {
    if (jobs.size() == 1) {
      Job job = jobs.get(0);
      inbox.write(order(job), options(job));
    } else {
      inbox.writeAll(jobs.stream().map(job -> new Outgoing(order(job), options(job))).toList());
    }
  }

  private static Order order(Job job) {
    return Order.of(Math.toIntExact(job.number()));
  }

  private static WriteOptions options(Job job) {
    if (job.group().isEmpty() && job.delay().isZero()) {
      return WriteOptions.defaults();
    }
    String group = job.group().isEmpty() ? null : job.group();
    return WriteOptions.of(options -> options.groupKey(group).delay(job.delay()));
  }

  @Override
  public void start() {
    mailroom.start();
  }

  @Override
  public void stop() {
    mailroom.close();
  }

  @Override
  public long left() throws SQLException {
    return tables.left();
  }

  @Override
  public void close() {
    mailroom.close();
    store.close();
  }
}
