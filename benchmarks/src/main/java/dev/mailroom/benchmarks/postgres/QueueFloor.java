package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
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
import javax.sql.DataSource;

/**
 * The floor's loop over a table as a queue made by hand has it: ids that the writer makes, so that
 * an append can be repeated, a type, times and a count of attempts. It shows what of the distance
 * to {@link RawFloor} is the price of such rows, whoever handles them.
 */
final class QueueFloor implements Contender {
  private static final String[] CREATE = {
    "DROP TABLE IF EXISTS floor_queue",
    """
    CREATE TABLE floor_queue (
      id uuid PRIMARY KEY,
      position bigint GENERATED ALWAYS AS IDENTITY,
      type text NOT NULL,
      content_type text NOT NULL,
      payload bytea NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      visible_at timestamptz NOT NULL DEFAULT now(),
      attempts int NOT NULL DEFAULT 0,
      last_error text,
      token uuid
    ) WITH (fillfactor = 45)""",
    "CREATE INDEX floor_queue_position ON floor_queue (position)"
  };
  private static final String INSERT =
      """
      INSERT INTO floor_queue (id, type, content_type, payload)
      SELECT r.id, 'bench.order', 'application/json', r.payload
      FROM unnest(?::uuid[], ?::bytea[]) AS r(id, payload)""";
  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid AS place FROM floor_queue WHERE token IS NULL
        ORDER BY position LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE floor_queue SET token = ?, attempts = attempts + 1
      WHERE ctid = ANY (ARRAY(SELECT place FROM picked))
      RETURNING id, position, type, content_type, created_at, attempts, payload""";
  private static final String DELETE = "DELETE FROM floor_queue WHERE id = ANY (?) AND token = ?";
  private static final int PAYLOAD = 7;
  private static final int INSERT_BATCH = 1_000;

  private final BenchDatabase database;
  private final DataSource pool;
  private final RawFloor.Shape shape;
  private Ledger ledger = new Ledger(0);

  QueueFloor(BenchDatabase database, DataSource pool, RawFloor.Shape shape) {
    this.database = database;
    this.pool = pool;
    this.shape = shape;
  }

  static void createTable(BenchDatabase database) throws SQLException {
    for (String statement : CREATE) {
      database.execute(statement);
    }
  }

  @Override
  public String name() {
    return shape + ", rows of a queue";
  }

  @Override
  public void prepare(int messages) throws Exception {
    database.empty();
    try (Connection connection = pool.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int first = 0; first < messages; first += INSERT_BATCH) {
        int count = Math.min(INSERT_BATCH, messages - first);
        UUID[] ids = new UUID[count];
        byte[][] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
          // In the order of time, as Mailroom's own are: the best case for the index.
          ids[i] = new UUID(((long) first + i) << 16 | 0x7000, Long.MIN_VALUE);
          payloads[i] = Json.write(Order.of(first + i));
        }
        insert.setArray(1, connection.createArrayOf("uuid", ids));
        insert.setArray(2, connection.createArrayOf("bytea", payloads));
        insert.executeUpdate();
      }
    }
    database.settleDown();
    ledger = new Ledger(messages);
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
                  drain();
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

  private void drain() throws Exception {
    try (Connection connection = pool.getConnection();
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      List<UUID> ids = new ArrayList<>(shape.batch());
      do {
        ids.clear();
        UUID token = UUID.randomUUID();
        claim.setInt(1, shape.batch());
        claim.setObject(2, token);
        try (ResultSet rows = claim.executeQuery()) {
          while (rows.next()) {
            ids.add(rows.getObject(1, UUID.class));
            ledger.handle(Json.read(rows.getBytes(PAYLOAD)));
          }
        }
        if (!ids.isEmpty()) {
          delete.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
          delete.setObject(2, token);
          delete.executeUpdate();
        }
      } while (!ids.isEmpty());
    }
  }

  @Override
  public void finish(int messages) throws Exception {
    ledger.check();
    database.requireRows("floor_queue", 0);
  }
}
