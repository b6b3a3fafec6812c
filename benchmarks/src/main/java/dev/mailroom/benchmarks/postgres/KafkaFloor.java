package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
import java.nio.charset.StandardCharsets;
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
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * An outbox made by hand: a loop that leases a batch in one statement, gives it to a Kafka
 * producer, waits until all of it is acknowledged and deletes it. It has no attempts, and no order
 * of a key: two loops publish events of one key as they come, and behind one that failed the rest
 * goes on.
 */
final class KafkaFloor implements Contender {
  private static final String[] CREATE = {
    "DROP TABLE IF EXISTS floor_outbox",
    """
    CREATE TABLE floor_outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text,
      payload bytea NOT NULL,
      token uuid
    ) WITH (fillfactor = 45)"""
  };
  private static final String INSERT =
      """
      INSERT INTO floor_outbox (key, payload)
      SELECT r.key, r.payload FROM unnest(?::text[], ?::bytea[]) AS r(key, payload)""";
  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid AS place FROM floor_outbox WHERE token IS NULL
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE floor_outbox SET token = ? WHERE ctid = ANY (ARRAY(SELECT place FROM picked))
      RETURNING id, key, payload""";
  private static final String DELETE = "DELETE FROM floor_outbox WHERE id = ANY (?) AND token = ?";
  private static final int INSERT_BATCH = 1_000;

  private final BenchDatabase database;
  private final DataSource pool;
  private final KafkaTopic topic;
  private final RawFloor.Shape shape;
  private final int keys;

  KafkaFloor(
      BenchDatabase database, DataSource pool, KafkaTopic topic, RawFloor.Shape shape, int keys) {
    this.database = database;
    this.pool = pool;
    this.topic = topic;
    this.shape = shape;
    this.keys = keys;
  }

  static void createTable(BenchDatabase database) throws SQLException {
    for (String statement : CREATE) {
      database.execute(statement);
    }
  }

  @Override
  public String name() {
    return shape + ", raw producer";
  }

  @Override
  public void prepare(int messages) throws Exception {
    database.empty();
    try (Connection connection = pool.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int first = 0; first < messages; first += INSERT_BATCH) {
        int count = Math.min(INSERT_BATCH, messages - first);
        String[] names = new String[count];
        byte[][] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
          names[i] = keys == 0 ? null : "group-" + (first + i) % keys;
          payloads[i] = Json.write(Order.of(first + i));
        }
        insert.setArray(1, connection.createArrayOf("text", names));
        insert.setArray(2, connection.createArrayOf("bytea", payloads));
        insert.executeUpdate();
      }
    }
    database.settleDown();
  }

  @Override
  public void run(int messages) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(shape.connections());
    try (Producer<byte[], byte[]> producer = topic.newProducer()) {
      List<Future<?>> loops = new ArrayList<>();
      for (int i = 0; i < shape.connections(); i++) {
        loops.add(
            threads.submit(
                () -> {
                  drain(producer);
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

  private void drain(Producer<byte[], byte[]> producer) throws Exception {
    try (Connection connection = pool.getConnection();
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      List<Long> ids = new ArrayList<>(shape.batch());
      List<Future<RecordMetadata>> sent = new ArrayList<>(shape.batch());
      do {
        ids.clear();
        sent.clear();
        UUID token = UUID.randomUUID();
        claim.setInt(1, shape.batch());
        claim.setObject(2, token);
        try (ResultSet rows = claim.executeQuery()) {
          while (rows.next()) {
            ids.add(rows.getLong(1));
            String key = rows.getString(2);
            byte[] name = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
            sent.add(producer.send(new ProducerRecord<>(KafkaTopic.NAME, name, rows.getBytes(3))));
          }
        }
        for (Future<RecordMetadata> one : sent) {
          one.get();
        }
        if (!ids.isEmpty()) {
          delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
          delete.setObject(2, token);
          delete.executeUpdate();
        }
      } while (!ids.isEmpty());
    }
  }

  @Override
  public void finish(int messages) throws Exception {
    topic.requireNew(messages);
    database.requireRows("floor_outbox", 0);
  }
}
