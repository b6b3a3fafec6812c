package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.contender.Payload;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.jdbcjobstore.StdJDBCDelegate;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/**
 * Quartz with its JDBC store: one durable job, and a trigger with the payload for each order. The
 * scheduler takes as many triggers at once as it has threads.
 */
final class QuartzPeer implements Contender {
  private static final String LEDGER = "ledger";
  private static final String PAYLOAD = "payload";
  private static final String POOL = "benchmark";
  private static final JobDetail JOB =
      JobBuilder.newJob(OrderJob.class).withIdentity("order").storeDurably().build();

  private final Tables tables;
  private final Scheduler scheduler;

  private QuartzPeer(Place place, Setup setup) throws Exception {
    tables = new Tables(place.pool());
    createTables(place.kind());
    DBConnectionManager.getInstance().addConnectionProvider(POOL, new Pool(place.pool()));
    scheduler = new StdSchedulerFactory(properties(place.kind(), setup)).getScheduler();
    scheduler.getContext().put(LEDGER, place.ledger());
    scheduler.addJob(JOB, true);
  }

  static Entry entry() {
    return new Peer(
        "Quartz",
        new Promises(
            "at most once as it is set up by default (at least once if a job asks for recovery); a"
                + " failed job is not tried again",
            "none",
            "at a commit of its own"),
        Set.of(Ability.DELAY),
        Set.of(DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB),
        List.of(new Setup(10, 10), new Setup(20, 20), new Setup(50, 50)),
        QuartzPeer::new);
  }

  /** From the script that comes with the library. */
  private void createTables(DatabaseKind kind) throws IOException, SQLException {
    String script = kind == DatabaseKind.POSTGRESQL ? "postgres" : "mysql_innodb";
    try (InputStream file = JobStoreTX.class.getResourceAsStream("tables_" + script + ".sql")) {
      if (file == null) {
        throw new IllegalStateException("Quartz has no tables for " + script);
      }
      String sql = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      for (String statement : sql.replaceAll("(?m)^(--|#).*$", "").split(";", -1)) {
        if (!statement.isBlank()) {
          tables.execute(statement);
        }
      }
    }
  }

  private static Properties properties(DatabaseKind kind, Setup setup) {
    Class<?> delegate =
        kind == DatabaseKind.POSTGRESQL ? PostgreSQLDelegate.class : StdJDBCDelegate.class;
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "org.quartz.scheduler.instanceName",
            POOL,
            "org.quartz.scheduler.skipUpdateCheck",
            "true",
            "org.quartz.scheduler.batchTriggerAcquisitionMaxCount",
            "" + setup.batch(),
            "org.quartz.threadPool.class",
            SimpleThreadPool.class.getName(),
            "org.quartz.threadPool.threadCount",
            "" + setup.threads(),
            "org.quartz.jobStore.class",
            JobStoreTX.class.getName(),
            "org.quartz.jobStore.driverDelegateClass",
            delegate.getName(),
            "org.quartz.jobStore.dataSource",
            POOL,
            "org.quartz.jobStore.useProperties",
            "true",
            // Needed for correctness as soon as more than one trigger is taken at once.
            "org.quartz.jobStore.acquireTriggersWithinLock",
            "true"));
    return properties;
  }

  @Override
  public void append(List<Job> jobs) throws SchedulerException {
    Instant now = Instant.now();
    Set<Trigger> triggers = new HashSet<>();
    for (Job job : jobs) {
      triggers.add(
          TriggerBuilder.newTrigger()
              .withIdentity(Long.toString(job.number()))
              .forJob(JOB)
              .usingJobData(PAYLOAD, Payload.text(job.number()))
              .startAt(Date.from(now.plus(job.delay())))
              .build());
    }
    scheduler.scheduleJobs(Map.of(JOB, triggers), true);
  }

  @Override
  public void start() throws SchedulerException {
    scheduler.start();
  }

  @Override
  public void stop() throws SchedulerException {
    scheduler.shutdown(true);
  }

  @Override
  public long left() throws SQLException {
    return tables.count("QRTZ_TRIGGERS");
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not stop", e);
    }
  }

  /** What a trigger starts. */
  public static final class OrderJob implements org.quartz.Job {
    @Override
    public void execute(JobExecutionContext context) {
      try {
        Object ledger = context.getScheduler().getContext().get(LEDGER);
        ((Ledger) Objects.requireNonNull(ledger))
            .handle(context.getMergedJobDataMap().getString(PAYLOAD));
      } catch (SchedulerException e) {
        throw new IllegalStateException("The scheduler has no context", e);
      }
    }
  }

  /** The pool is not Quartz's to close. */
  private record Pool(DataSource pool) implements ConnectionProvider {
    @Override
    public Connection getConnection() throws SQLException {
      return pool.getConnection();
    }

    @Override
    public void shutdown() {}

    @Override
    public void initialize() {}
  }
}
