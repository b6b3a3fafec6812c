package dev.mailroom.benchmarks.comparison.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Payload;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * db-scheduler with one-time tasks. It locks and fetches a batch in one statement where it can (not
 * on MariaDB), is told of new work after the commit and polls often for what it was not told of.
 */
final class DbSchedulerPeer implements TransactionalPeer {
  private static final String TABLE = "scheduled_tasks";
  private static final Duration POLL = Duration.ofMillis(10);

  /** When the number of fetched tasks falls below this part of the batch it fetches again. */
  private static final double REFILL = 0.5;

  private final Tables tables;
  private final TransactionTemplate transaction;
  private final OneTimeTask<byte[]> task;
  private final Scheduler scheduler;
  private volatile boolean started;

  private DbSchedulerPeer(Place place, Setup setup) throws SQLException {
    tables = new Tables(place.pool());
    createTable(place.kind());
    transaction = new TransactionTemplate(new DataSourceTransactionManager(place.pool()));
    task =
        Tasks.oneTime("order", byte[].class)
            .execute((instance, context) -> place.ledger().handle(instance.getData()));
    SchedulerBuilder builder =
        Scheduler.create(new TransactionAwareDataSourceProxy(place.pool()), task)
            .threads(setup.threads())
            .pollingInterval(POLL)
            .serializer(new Untouched());
    double batch = (double) setup.batch() / setup.threads();
    scheduler =
        (place.kind() == DatabaseKind.POSTGRESQL
                ? builder.pollUsingLockAndFetch(batch * REFILL, batch)
                : builder.pollUsingFetch(batch * REFILL, batch))
            .build();
  }

  static Entry entry() {
    return new Peer(
        "db-scheduler",
        new Promises(
            "at least once; a failed task is tried again every 5 minutes, without end",
            "none",
            "at the commit of the caller's transaction"),
        Set.of(
            Ability.DRAIN,
            Ability.STREAM,
            Ability.DELAY,
            Ability.BULK_APPEND,
            Ability.TRANSACTIONAL_APPEND),
        Set.of(DatabaseKind.values()),
        List.of(new Setup(10, 100), new Setup(10, 40), new Setup(20, 200), new Setup(50, 500)),
        DbSchedulerPeer::new);
  }

  /** By its documentation; the library brings no schema. */
  private void createTable(DatabaseKind kind) throws SQLException {
    boolean postgres = kind == DatabaseKind.POSTGRESQL;
    String key = postgres ? "text" : "varchar(100)";
    String time = postgres ? "timestamp with time zone" : "timestamp(6) null";
    tables.drop(TABLE);
    tables.execute(
        """
        CREATE TABLE %1$s (
          task_name %2$s NOT NULL, task_instance %2$s NOT NULL, task_data %3$s,
          execution_time %4$s, picked boolean NOT NULL, picked_by %2$s,
          last_success %4$s, last_failure %4$s, consecutive_failures int, last_heartbeat %4$s,
          version bigint NOT NULL, priority smallint, state %2$s,
          PRIMARY KEY (task_name, task_instance))"""
            .formatted(TABLE, key, postgres ? "bytea" : "blob", time),
        "CREATE INDEX execution_time_idx ON " + TABLE + " (execution_time)",
        "CREATE INDEX last_heartbeat_idx ON " + TABLE + " (last_heartbeat)");
  }

  @Override
  public void append(List<Job> jobs, Runnable work) {
    Instant now = Instant.now();
    transaction.executeWithoutResult(
        status -> {
          List<SchedulableInstance<?>> instances = new ArrayList<>(jobs.size());
          for (Job job : jobs) {
            instances.add(
                SchedulableInstance.of(
                    task.instance(Long.toString(job.number()), Payload.bytes(job.number())),
                    now.plus(job.delay())));
          }
          scheduler.scheduleBatch(instances);
          work.run();
        });
    if (started) {
      scheduler.triggerCheckForDueExecutions();
    }
  }

  @Override
  public void start() {
    scheduler.start();
    started = true;
  }

  @Override
  public void stop() {
    if (started) {
      started = false;
      scheduler.stop();
    }
  }

  @Override
  public long left() throws SQLException {
    return tables.count(TABLE);
  }

  @Override
  public void close() {
    stop();
  }

  /** The payload is JSON already, and the handler decodes it. */
  private static final class Untouched implements Serializer {
    @Override
    public byte[] serialize(Object data) {
      return (byte[]) data;
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] bytes) {
      return type.cast(bytes);
    }
  }
}
