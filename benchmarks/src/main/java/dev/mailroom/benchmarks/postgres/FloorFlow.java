package dev.mailroom.benchmarks.postgres;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The floor's loop; whoever finds nothing looks again soon. */
final class FloorFlow implements Flow {
  private static final RawFloor.Shape SHAPE = new RawFloor.Shape(500, 2, false);
  private static final long PAUSE_MILLIS = 2;

  private final BenchDatabase database;
  private final DataSource pool;
  private final List<Future<?>> loops = new ArrayList<>();
  private @Nullable ExecutorService threads;
  private volatile boolean stopped;

  FloorFlow(BenchDatabase database, DataSource pool) {
    this.database = database;
    this.pool = pool;
  }

  @Override
  public String name() {
    return SHAPE.toString();
  }

  @Override
  public void start(Ledger ledger) throws Exception {
    database.empty();
    database.settleDown();
    stopped = false;
    loops.clear();
    ExecutorService executor = Executors.newFixedThreadPool(SHAPE.connections());
    for (int i = 0; i < SHAPE.connections(); i++) {
      loops.add(
          executor.submit(
              () -> {
                while (!stopped) {
                  new RawFloor(database, pool, SHAPE, ledger).drain(() -> stopped);
                  Thread.sleep(PAUSE_MILLIS);
                }
                return null;
              }));
    }
    threads = executor;
  }

  @Override
  public void append(int first, int count) throws Exception {
    try (Connection connection = pool.getConnection()) {
      RawFloor.append(connection, first, count);
    }
  }

  @Override
  public void stop() throws Exception {
    stopped = true;
    if (threads != null) {
      threads.shutdown();
      threads.awaitTermination(1, TimeUnit.MINUTES);
      for (Future<?> loop : loops) {
        loop.get();
      }
    }
  }
}
