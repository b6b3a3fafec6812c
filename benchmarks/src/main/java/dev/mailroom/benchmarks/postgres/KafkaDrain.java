package dev.mailroom.benchmarks.postgres;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.benchmarks.Contender;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.kafka.KafkaDispatcher;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.outbox.OutboxBuilder;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An outbox that publishes to Kafka what is there when it starts. The time ends when the engine has
 * stopped, which is after the last outcome was stored.
 */
final class KafkaDrain implements Contender {
  private static final int WRITE_BATCH = 1_000;

  private final BenchDatabase database;
  private final DataSource pool;
  private final KafkaTopic topic;
  private final MailroomDrain.Setup setup;

  KafkaDrain(BenchDatabase database, DataSource pool, KafkaTopic topic, MailroomDrain.Setup setup) {
    this.database = database;
    this.pool = pool;
    this.topic = topic;
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
    try (JdbcStore store = store();
        Mailroom mailroom = mailroom(store, Outbox.builder().writeOnly())) {
      List<Object> batch = new ArrayList<>(WRITE_BATCH);
      for (int number = 0; number < messages; number++) {
        batch.add(outgoing(number));
        if (batch.size() == WRITE_BATCH || number == messages - 1) {
          mailroom.inbox(OutboxBuilder.NAME).writeAll(batch);
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
    Counting counting = new Counting(messages);
    try (KafkaDispatcher kafka =
            KafkaDispatcher.builder()
                .bootstrapServers(topic.address())
                .defaultTopic(KafkaTopic.NAME)
                .build();
        JdbcStore store = store();
        Mailroom mailroom = mailroom(store, Outbox.builder().dispatcher(counting.of(kafka)))) {
      mailroom.start();
      counting.all.await();
    }
  }

  @Override
  public void finish(int messages) throws Exception {
    topic.requireNew(messages);
    database.requireRows("mailroom_message", 0);
    database.requireRows("mailroom_lease", 0);
  }

  private JdbcStore store() {
    return JdbcStore.builder(pool).migrateAtStart(true).build();
  }

  private Mailroom mailroom(JdbcStore store, OutboxBuilder outbox) {
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(Order.class, "bench.order", 1)
        .add(
            outbox
                .options(
                    options ->
                        options
                            .ordering(setup.groups() == 0 ? Ordering.NONE : Ordering.REQUIRED)
                            .readBatch(setup.readBatch())
                            .concurrency(setup.concurrency()))
                .build())
        .build();
  }

  /** Knows when all were published. */
  private static final class Counting {
    private final AtomicInteger left;
    private final CountDownLatch all = new CountDownLatch(1);

    private Counting(int messages) {
      left = new AtomicInteger(messages);
    }

    private Dispatcher of(BatchDispatcher dispatcher) {
      BatchDispatcher counted =
          messages -> {
            List<@Nullable Result> answers = dispatcher.dispatchAll(messages);
            int published = 0;
            for (Result answer : answers) {
              published += answer != null && answer.isSuccess() ? 1 : 0;
            }
            if (left.addAndGet(-published) == 0) {
              all.countDown();
            }
            return answers;
          };
      return counted;
    }
  }
}
