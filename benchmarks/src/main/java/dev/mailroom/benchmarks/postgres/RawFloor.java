package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** The floor: the loop over {@link FloorTable}, over as many connections as it has threads. */
final class RawFloor implements Contender {
  private static final int INSERT_BATCH = 1_000;

  private final BenchDatabase database;
  private final DataSource pool;
  private final Shape shape;
  private Ledger ledger;

  /**
   * How it works.
   *
   * @param batch messages of one claim
   * @param connections how many connections work at once
   * @param remembers whether a connection goes on where its last claim ended, instead of looking
   *     from the start; it then passes over what others give back
   */
  record Shape(int batch, int connections, boolean remembers) {
    @Override
    public String toString() {
      return String.format(
          "floor: %,d by %d connection%s%s",
          batch, connections, connections == 1 ? "" : "s", remembers ? ", remembered place" : "");
    }
  }

  RawFloor(BenchDatabase database, DataSource pool, Shape shape) {
    this(database, pool, shape, new Ledger(0));
  }

  RawFloor(BenchDatabase database, DataSource pool, Shape shape, Ledger ledger) {
    this.database = database;
    this.pool = pool;
    this.shape = shape;
    this.ledger = ledger;
  }

  static void createTable(BenchDatabase database) throws SQLException {
    try (Connection connection = database.connection()) {
      FloorTable.create(connection);
    }
  }

  Shape shape() {
    return shape;
  }

  @Override
  public String name() {
    return shape.toString();
  }

  @Override
  public void prepare(int messages) throws Exception {
    database.empty();
    try (Connection connection = pool.getConnection()) {
      for (int first = 0; first < messages; first += INSERT_BATCH) {
        append(connection, first, Math.min(INSERT_BATCH, messages - first));
      }
    }
    database.settleDown();
    ledger = new Ledger(messages);
  }

  /** Appends some orders, from that number on, in one statement and one commit. */
  static void append(Connection connection, int first, int count) throws Exception {
    byte[][] payloads = new byte[count][];
    for (int i = 0; i < count; i++) {
      payloads[i] = Json.write(Order.of(first + i));
    }
    FloorTable.append(connection, payloads);
  }

  @Override
  public void run(int messages) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(shape.connections());
    try {
      List<Future<?>> loops = new ArrayList<>();
      for (int i = 0; i < shape.connections(); i++) {
        loops.add(
            threads.submit(
                () -> {
                  drain(() -> false);
                  return null;
                }));
      }
      for (Future<?> loop : loops) {
        loop.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Drains until nothing is left or it is told to stop. */
  void drain(BooleanSupplier stopped) throws Exception {
    try (Connection connection = pool.getConnection()) {
      FloorTable.drain(
          connection,
          shape.batch(),
          shape.remembers(),
          payload -> ledger.handle(Json.read(payload)),
          stopped);
    }
  }

  @Override
  public void finish(int messages) throws Exception {
    ledger.check();
    database.requireRows(FloorTable.NAME, 0);
  }
}
