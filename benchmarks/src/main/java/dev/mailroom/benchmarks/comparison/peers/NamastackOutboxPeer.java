package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import dev.mailroom.benchmarks.postgres.Order;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.namastack.outbox.partition.PartitionAssignmentCache;
import io.namastack.outbox.partition.PartitionCoordinator;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox by its starter, in an application context without a web server. It polls for
 * keys with open records and handles the records of a key in order.
 */
final class NamastackOutboxPeer implements TransactionalPeer {
  private static final int ATTEMPTS = 10;

  private final Tables tables;
  private final AnnotationConfigApplicationContext context;
  private final TransactionTemplate transaction;
  private final Outbox outbox;
  private final OutboxProcessingScheduler scheduler;

  private NamastackOutboxPeer(Place place, Setup setup) throws Exception {
    tables = new Tables(place.pool());
    tables.drop("outbox_record", "outbox_instance", "outbox_partition");
    PlatformTransactionManager transactions = new JdbcTransactionManager(place.pool());
    transaction = new TransactionTemplate(transactions);
    context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("benchmark", properties(setup)));
    context.registerBean("dataSource", DataSource.class, place::pool);
    context.registerBean(PlatformTransactionManager.class, () -> transactions);
    context.registerBean(OrderHandler.class, () -> new OrderHandler(place.ledger()));
    context.register(Application.class);
    context.refresh();
    outbox = context.getBean(Outbox.class);
    scheduler = context.getBean(OutboxProcessingScheduler.class);
    scheduler.stop();
    awaitPartitions();
  }

  /** Otherwise it may find itself without one until it looks again, ten seconds later. */
  private void awaitPartitions() throws InterruptedException {
    PartitionCoordinator partitions = context.getBean(PartitionCoordinator.class);
    while (partitions.getAssignedPartitionNumbers().isEmpty()) {
      Thread.sleep(10);
      context.getBean(PartitionAssignmentCache.class).evictAll();
    }
  }

  static Entry entry() {
    return new Peer(
        "namastack-outbox",
        new Promises(
            "at least once, 3 retries with growing pauses, then failed",
            "by key; a failed record holds up its key",
            "at the commit of the caller's transaction"),
        Set.of(Ability.DRAIN, Ability.STREAM, Ability.ORDER, Ability.TRANSACTIONAL_APPEND),
        Set.of(DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB),
        List.of(new Setup(9, 500), new Setup(9, 100), new Setup(9, 2_000)),
        NamastackOutboxPeer::new);
  }

  private static Map<String, Object> properties(Setup setup) {
    return Map.of(
        "namastack.outbox.polling.batch-size",
        setup.batch(),
        "namastack.outbox.polling.fixed.interval",
        "10ms",
        "namastack.outbox.processing.executor-core-pool-size",
        setup.threads(),
        "namastack.outbox.processing.executor-max-pool-size",
        setup.threads(),
        "namastack.outbox.processing.delete-completed-records",
        true,
        "namastack.outbox.multicaster.enabled",
        false);
  }

  @Override
  public void append(List<Job> jobs, Runnable work) {
    int attempts = ATTEMPTS;
    while (true) {
      try {
        transaction.executeWithoutResult(status -> schedule(jobs, work));
        return;
      } catch (PessimisticLockingFailureException e) {
        // On MariaDB several writers can be in each other's way, and callers have to try again.
        attempts--;
        if (attempts == 0) {
          throw e;
        }
      }
    }
  }

  private void schedule(List<Job> jobs, Runnable work) {
    for (Job job : jobs) {
      Order order = Order.of(Math.toIntExact(job.number()));
      if (job.group().isEmpty()) {
        outbox.schedule(order);
      } else {
        outbox.schedule(order, job.group());
      }
    }
    work.run();
  }

  @Override
  public void start() {
    scheduler.start();
  }

  @Override
  public void stop() {
    scheduler.stop();
  }

  @Override
  public long left() throws SQLException {
    return tables.count("outbox_record WHERE status <> 'COMPLETED'");
  }

  @Override
  public void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  /** The library has decoded the order. */
  record OrderHandler(Ledger ledger) implements OutboxTypedHandler<Order> {
    @Override
    public void handle(Order order, OutboxRecordMetadata metadata) {
      ledger.handled(order.index());
    }
  }
}
