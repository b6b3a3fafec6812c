package dev.mailroom.benchmarks.postgres;

import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.Ordering;
import dev.mailroom.Outgoing;
import dev.mailroom.Result;
import dev.mailroom.WriteOptions;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Mailroom with single handlers, unordered or in groups. */
final class MailroomFlow implements Flow {
  private static final int READ_BATCH = 500;
  private static final int CONCURRENCY = 4;

  private final BenchDatabase database;
  private final DataSource pool;
  private final int groups;
  private @Nullable JdbcStore store;
  private @Nullable Mailroom mailroom;

  /** In so many groups; 0 means unordered. */
  MailroomFlow(BenchDatabase database, DataSource pool, int groups) {
    this.database = database;
    this.pool = pool;
    this.groups = groups;
  }

  @Override
  public String name() {
    return groups == 0 ? "single handlers" : String.format("single handlers, %,d groups", groups);
  }

  @Override
  public void start(Ledger ledger) throws Exception {
    database.empty();
    database.settleDown();
    JdbcStore opened = JdbcStore.builder(pool).migrateAtStart(true).build();
    Mailroom built =
        Mailroom.builder()
            .store(opened)
            .codec(new JacksonCodec())
            .contract(Order.class, "bench.order", 1)
            .inbox(
                MailroomDrain.INBOX,
                inbox ->
                    inbox
                        .options(this::options)
                        .handler(
                            Order.class,
                            delivery -> {
                              ledger.handle(delivery.payload());
                              return Result.success();
                            }))
            .build();
    built.start();
    store = opened;
    mailroom = built;
  }

  private InboxOptionsBuilder options(InboxOptionsBuilder options) {
    return options
        .ordering(groups == 0 ? Ordering.NONE : Ordering.REQUIRED)
        .readBatch(READ_BATCH)
        .concurrency(CONCURRENCY);
  }

  @Override
  public void append(int first, int count) {
    List<Object> batch = new ArrayList<>(count);
    for (int number = first; number < first + count; number++) {
      Order order = Order.of(number);
      batch.add(
          groups == 0
              ? order
              : new Outgoing(order, WriteOptions.NONE.groupKey("group-" + number % groups)));
    }
    if (mailroom != null) {
      mailroom.inbox(MailroomDrain.INBOX).writeAll(batch);
    }
  }

  @Override
  public void stop() {
    if (mailroom != null) {
      mailroom.close();
    }
    if (store != null) {
      store.close();
    }
  }
}
