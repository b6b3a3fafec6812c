package dev.mailroom.benchmarks.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * What somebody who knows PostgreSQL well writes by hand, and no more: a table, an insert, and a
 * loop that leases a batch in one statement, decodes, and deletes the batch by its primary key,
 * each in its own commit.
 *
 * <p>Ids come from the database (a bigint, half of a UUID's size, always at the end of the index),
 * so one index serves the claim and the deletion. The token is in no index and pages have room for
 * it, so a lease changes no index either. There are no attempts, no leases that expire, no second
 * queue in the table, no retries and no order.
 */
public final class FloorTable {
  /** Its name. */
  public static final String NAME = "floor";

  private static final String[] CREATE = {
    "DROP TABLE IF EXISTS floor",
    """
    CREATE TABLE floor (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      payload bytea NOT NULL,
      token uuid
    ) WITH (fillfactor = 45)\
    """
  };
  private static final String INSERT = "INSERT INTO floor (payload) SELECT unnest(?::bytea[])";
  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid AS place FROM floor WHERE token IS NULL AND id > ?
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE floor SET token = ? WHERE ctid = ANY (ARRAY(SELECT place FROM picked))
      RETURNING id, payload\
      """;
  private static final String DELETE = "DELETE FROM floor WHERE id = ANY (?) AND token = ?";

  private FloorTable() {}

  /** Handles a payload. */
  public interface Handler {
    /** Decodes it and notes it. */
    void handle(byte[] payload) throws IOException;
  }

  /** Creates it anew. */
  public static void create(Connection connection) throws SQLException {
    for (String sql : CREATE) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.execute();
      }
    }
  }

  /** Appends these in one statement, and so in one commit. */
  public static void append(Connection connection, byte[][] payloads) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setArray(1, connection.createArrayOf("bytea", payloads));
      insert.executeUpdate();
    }
  }

  /**
   * Drains until nothing is left or it is told to stop.
   *
   * @param batch messages of one claim
   * @param remembers whether it goes on where its last claim ended, instead of looking from the
   *     start; it then passes over what others give back
   */
  public static void drain(
      Connection connection, int batch, boolean remembers, Handler handler, BooleanSupplier stopped)
      throws SQLException, IOException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      long after = 0;
      List<Long> leased;
      do {
        UUID token = UUID.randomUUID();
        claim.setLong(1, after);
        claim.setInt(2, batch);
        claim.setObject(3, token);
        leased = handle(claim, batch, handler);
        if (!leased.isEmpty()) {
          delete.setArray(1, connection.createArrayOf("bigint", leased.toArray()));
          delete.setObject(2, token);
          delete.executeUpdate();
          after = remembers ? leased.get(leased.size() - 1) : 0;
        }
      } while (!leased.isEmpty() && !stopped.getAsBoolean());
    }
  }

  private static List<Long> handle(PreparedStatement claim, int batch, Handler handler)
      throws SQLException, IOException {
    List<Long> ids = new ArrayList<>(batch);
    try (ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        handler.handle(rows.getBytes(2));
      }
    }
    return ids;
  }
}
