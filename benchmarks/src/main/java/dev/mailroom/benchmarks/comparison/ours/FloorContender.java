package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Payload;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import dev.mailroom.benchmarks.postgres.FloorTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Threads with a connection each that run the floor's loop; who finds nothing looks again soon. */
final class FloorContender implements Contender {
  private static final long PAUSE_MILLIS = 2;

  private final FloorQueue queue;
  private final Place place;
  private final Setup setup;
  private final List<Future<?>> loops = new ArrayList<>();
  private @Nullable ExecutorService threads;
  private volatile boolean stopped;

  private FloorContender(FloorQueue queue, Place place, Setup setup) {
    this.queue = queue;
    this.place = place;
    this.setup = setup;
  }

  static FloorContender open(FloorQueue queue, Place place, Setup setup) throws SQLException {
    try (Connection connection = place.pool().getConnection()) {
      queue.create(connection);
    }
    return new FloorContender(queue, place, setup);
  }

  @Override
  public void append(List<Job> jobs) throws SQLException {
    byte[][] payloads =
        jobs.stream().map(job -> Payload.bytes(job.number())).toArray(byte[][]::new);
    try (Connection connection = place.pool().getConnection()) {
      queue.append(connection, payloads);
    }
  }

  @Override
  public void start() {
    ExecutorService executor = Executors.newFixedThreadPool(setup.threads());
    for (int i = 0; i < setup.threads(); i++) {
      loops.add(executor.submit(this::loop));
    }
    threads = executor;
  }

  private @Nullable Void loop() throws Exception {
    try (Connection connection = place.pool().getConnection()) {
      while (!stopped) {
        queue.drain(connection, setup.batch(), place.ledger(), () -> stopped);
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    return null;
  }

  @Override
  public void stop() throws Exception {
    stopped = true;
    if (threads != null) {
      threads.shutdown();
      for (Future<?> loop : loops) {
        loop.get();
      }
      threads = null;
    }
  }

  @Override
  public long left() throws SQLException {
    try (Connection connection = place.pool().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + FloorTable.NAME)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    stopped = true;
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
