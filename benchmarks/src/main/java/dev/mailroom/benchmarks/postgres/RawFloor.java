package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * The floor: what somebody who knows PostgreSQL well writes by hand, and no more. It leases a batch
 * in one statement, decodes, and deletes the batch by its primary key, each in its own commit, over
 * as many connections as it has threads.
 *
 * <p>Ids come from the database (a bigint, half of a UUID's size, always at the end of the index),
 * so one index serves the claim and the deletion. The token is in no index and pages have room for
 * it, so a lease changes no index either. There are no attempts, no leases that expire, no second
 * queue in the table, no retries and no order.
 */
final class RawFloor implements Contender {
  private static final String[] CREATE = {
    "DROP TABLE IF EXISTS floor",
    """
    CREATE TABLE floor (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      payload bytea NOT NULL,
      token uuid
    ) WITH (fillfactor = 45)"""
  };
  private static final String INSERT = "INSERT INTO floor (payload) SELECT unnest(?::bytea[])";
  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid AS place FROM floor WHERE token IS NULL AND id > ?
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE floor SET token = ? WHERE ctid = ANY (ARRAY(SELECT place FROM picked))
      RETURNING id, payload""";
  private static final String DELETE = "DELETE FROM floor WHERE id = ANY (?) AND token = ?";
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
    for (String statement : CREATE) {
      database.execute(statement);
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
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setArray(1, connection.createArrayOf("bytea", payloads));
      insert.executeUpdate();
    }
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
    try (Connection connection = pool.getConnection();
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      long after = 0;
      List<Long> leased;
      do {
        UUID token = UUID.randomUUID();
        leased = claim(claim, after, token);
        if (!leased.isEmpty()) {
          delete.setArray(1, connection.createArrayOf("bigint", leased.toArray()));
          delete.setObject(2, token);
          delete.executeUpdate();
          after = shape.remembers() ? leased.get(leased.size() - 1) : 0;
        }
      } while (!leased.isEmpty() && !stopped.getAsBoolean());
    }
  }

  private List<Long> claim(PreparedStatement claim, long after, UUID token)
      throws SQLException, IOException {
    claim.setLong(1, after);
    claim.setInt(2, shape.batch());
    claim.setObject(3, token);
    List<Long> ids = new ArrayList<>(shape.batch());
    try (ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        ledger.handle(Json.read(rows.getBytes(2)));
      }
    }
    return ids;
  }

  @Override
  public void finish(int messages) throws Exception {
    ledger.check();
    database.requireRows("floor", 0);
  }
}
