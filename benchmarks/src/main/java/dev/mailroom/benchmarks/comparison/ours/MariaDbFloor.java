package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The same for MariaDB, whose update answers with no rows: a claim picks a batch, skipping what
 * others have locked, and writes its token in the same transaction. The deletion is another one.
 */
final class MariaDbFloor implements FloorQueue {
  private static final String[] CREATE = {
    "DROP TABLE IF EXISTS floor",
    """
    CREATE TABLE floor (
      id bigint AUTO_INCREMENT PRIMARY KEY,
      payload varbinary(1000) NOT NULL,
      token bigint
    ) ENGINE = InnoDB\
    """
  };
  private static final String INSERT = "INSERT INTO floor (payload) VALUES (?)";
  private static final String PICK =
      """
      SELECT id, payload FROM floor WHERE token IS NULL ORDER BY id LIMIT ?
      FOR UPDATE SKIP LOCKED\
      """;
  private static final String LEASE = "UPDATE floor SET token = ? WHERE id IN (";
  private static final String DELETE = "DELETE FROM floor WHERE token = ? AND id IN (";

  @Override
  public void create(Connection connection) throws SQLException {
    for (String sql : CREATE) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.execute();
      }
    }
  }

  @Override
  public void append(Connection connection, byte[][] payloads) throws SQLException {
    String sql = INSERT + ", (?)".repeat(payloads.length - 1);
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int i = 0; i < payloads.length; i++) {
        insert.setBytes(i + 1, payloads[i]);
      }
      insert.executeUpdate();
    }
  }

  @Override
  public void drain(Connection connection, int batch, Ledger ledger, BooleanSupplier stopped)
      throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    try {
      boolean more = true;
      while (more && !stopped.getAsBoolean()) {
        long token = ThreadLocalRandom.current().nextLong();
        List<Long> ids = new ArrayList<>(batch);
        List<byte[]> payloads = new ArrayList<>(batch);
        pick(connection, batch, ids, payloads);
        more = !ids.isEmpty();
        if (more) {
          change(connection, LEASE, token, ids);
          connection.commit();
          payloads.forEach(ledger::handle);
          change(connection, DELETE, token, ids);
        }
        connection.commit();
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static void pick(Connection connection, int batch, List<Long> ids, List<byte[]> payloads)
      throws SQLException {
    try (PreparedStatement pick = connection.prepareStatement(PICK)) {
      pick.setInt(1, batch);
      try (ResultSet rows = pick.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
          payloads.add(rows.getBytes(2));
        }
      }
    }
  }

  private static void change(Connection connection, String sql, long token, List<Long> ids)
      throws SQLException {
    String all = sql + "?" + ", ?".repeat(ids.size() - 1) + ")";
    try (PreparedStatement change = connection.prepareStatement(all)) {
      change.setLong(1, token);
      for (int i = 0; i < ids.size(); i++) {
        change.setLong(i + 2, ids.get(i));
      }
      change.executeUpdate();
    }
  }
}
