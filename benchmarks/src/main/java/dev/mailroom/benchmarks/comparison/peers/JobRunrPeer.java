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
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.JobRunrMetadata;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * JobRunr, the free edition, with job requests. A worker that is done looks for more; a server that
 * had nothing to do looks again after the shortest interval that is allowed.
 */
final class JobRunrPeer implements Contender {
  private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);

  private final Tables tables;
  private final PostgresStorageProvider storage;
  private final JobRequestScheduler scheduler;
  private final BackgroundJobServer server;
  private boolean running;

  private JobRunrPeer(Place place, Setup setup) throws SQLException {
    storage = new PostgresStorageProvider(place.pool());
    tables = new Tables(place.pool());
    tables.execute("DELETE FROM jobrunr_jobs", "DELETE FROM jobrunr_backgroundjobservers");
    JsonMapper json = new JacksonJsonMapper();
    storage.setJobMapper(new JobMapper(json));
    // As a server leaves it that has run before: a first one migrates all that is scheduled.
    storage.saveMetadata(new JobRunrMetadata("database_version", "cluster", "6.0.0"));
    scheduler = new JobRequestScheduler(storage);
    server =
        new BackgroundJobServer(
            storage,
            json,
            new OneHandler(new OrderHandler(place.ledger())),
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(SHORTEST_POLL)
                .andWorkerCount(setup.threads()));
  }

  static Entry entry() {
    return new Peer(
        "JobRunr",
        new Promises(
            "at least once, 10 retries with growing pauses, then failed; done jobs are kept 36"
                + " hours",
            "none in the free edition",
            "at a commit of its own; no part in the caller's transaction in the free edition"),
        Set.of(Ability.DRAIN, Ability.STREAM, Ability.DELAY, Ability.BULK_APPEND),
        // On MariaDB it refuses the driver's version 4.
        Set.of(DatabaseKind.POSTGRESQL),
        List.of(new Setup(64, 64), new Setup(16, 16), new Setup(256, 256)),
        JobRunrPeer::new);
  }

  @Override
  public void append(List<Job> jobs) {
    Instant now = Instant.now();
    scheduler.create(
        jobs.stream()
            .map(
                job -> {
                  JobBuilder builder =
                      JobBuilder.aJob()
                          .withName("order") // by default the payload would be part of it
                          .withJobRequest(new OrderRequest(Payload.text(job.number())));
                  return job.delay().isZero() ? builder : builder.scheduleAt(now.plus(job.delay()));
                }));
  }

  @Override
  public void start() {
    server.start();
    running = true;
  }

  @Override
  public void stop() {
    if (running) {
      running = false;
      server.stop();
    }
  }

  @Override
  public long left() throws SQLException {
    return tables.count("jobrunr_jobs WHERE state NOT IN ('SUCCEEDED', 'DELETED')");
  }

  @Override
  public void close() {
    stop();
    storage.close();
  }

  /** What is stored. */
  public record OrderRequest(String payload) implements JobRequest {
    @Override
    public Class<OrderHandler> getJobRequestHandler() {
      return OrderHandler.class;
    }
  }

  /** What handles it. */
  public record OrderHandler(Ledger ledger) implements JobRequestHandler<OrderRequest> {
    @Override
    public void run(OrderRequest request) {
      ledger.handle(request.payload());
    }
  }

  private record OneHandler(OrderHandler handler) implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
      return type.cast(handler);
    }
  }
}
