package dev.mailroom.benchmarks.comparison.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.contender.Payload;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * transaction-outbox: an entry is submitted to an executor after the commit, and a background
 * thread flushes those that nobody works on. What was appended before the start is such a backlog;
 * it is due soon, so that nobody waits for the next attempt as after a crash.
 */
final class TransactionOutboxPeer implements TransactionalPeer {
  private static final String TABLE = "TXNO_OUTBOX";
  private static final Duration ATTEMPTS = Duration.ofMinutes(2);
  private static final Duration SOON = Duration.ofMillis(250);
  private static final long PAUSE_MILLIS = 10;

  private final Tables tables;
  private final Setup setup;
  private final ThreadLocalContextTransactionManager transactions;
  private final TransactionOutbox idle;
  private final TransactionOutbox working;
  private final ThreadPoolExecutor handlers;
  private final Thread flusher = new Thread(this::flush, "outbox-flush");
  private volatile boolean started;

  private TransactionOutboxPeer(Place place, Setup setup) throws SQLException {
    this.setup = setup;
    tables = new Tables(place.pool());
    tables.drop(TABLE, "TXNO_VERSION");
    transactions = TransactionManager.fromDataSource(place.pool());
    handlers =
        new ThreadPoolExecutor(
            setup.threads(),
            setup.threads(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> new Thread(task, "outbox-handler"));
    idle = outbox(place, SOON, (entry, processor) -> {});
    working = outbox(place, ATTEMPTS, Submitter.withExecutor(handlers));
  }

  static Entry entry() {
    return new Peer(
        "transaction-outbox",
        new Promises(
            "at least once, 5 attempts 2 minutes apart, then blocked; the handler runs in the"
                + " transaction that removes its entry; another process takes over after those 2"
                + " minutes (here 250 ms)",
            "none in this version",
            "at the commit of the caller's transaction"),
        Set.of(
            Ability.DRAIN,
            Ability.STREAM,
            Ability.BULK_APPEND,
            Ability.TRANSACTIONAL_APPEND,
            Ability.TRANSACTIONAL_HANDLER),
        // It knows MySQL, but not MariaDB.
        Set.of(DatabaseKind.POSTGRESQL),
        List.of(new Setup(9, 1_000), new Setup(9, 4_096), new Setup(20, 1_000)),
        TransactionOutboxPeer::new);
  }

  private TransactionOutbox outbox(Place place, Duration attempts, Submitter submitter) {
    Orders orders = new LedgerOrders(place.ledger());
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(Instantiator.using(type -> orders))
        .submitter(submitter)
        .attemptFrequency(attempts)
        .flushBatchSize(setup.batch())
        .serializeMdc(false)
        .build();
  }

  @Override
  public void append(List<Job> jobs, Runnable work) {
    TransactionOutbox outbox = started ? working : idle;
    transactions.inTransaction(
        () -> {
          for (Job job : jobs) {
            outbox.schedule(Orders.class).handle(Payload.text(job.number()));
          }
          work.run();
        });
  }

  @Override
  public void start() {
    started = true;
    flusher.start();
  }

  /** Flushes whenever the handlers have less than a batch before them. */
  private void flush() {
    try {
      while (started) {
        boolean flushed = handlers.getQueue().size() < setup.batch() && working.flush();
        if (!flushed) {
          Thread.sleep(handlers.getQueue().isEmpty() ? PAUSE_MILLIS : 1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() throws InterruptedException {
    started = false;
    flusher.interrupt();
    flusher.join();
    handlers.getQueue().clear();
    handlers.shutdown();
    if (!handlers.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("Handlers of transaction-outbox still run after a minute");
    }
  }

  @Override
  public long left() throws SQLException {
    return tables.count(TABLE);
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is called by name: transaction-outbox stores the call. */
  public interface Orders {
    /** Decodes the order and notes it. */
    void handle(String json);
  }

  private record LedgerOrders(Ledger ledger) implements Orders {
    @Override
    public void handle(String json) {
      ledger.handle(json);
    }
  }
}
