package dev.mailroom.jdbc.process;

import dev.mailroom.Batch;
import dev.mailroom.Delivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A table in which handlers note what they handle before they say that they did. Its database gives
 * every entry its place, so that the entries of all processes are in one order.
 */
final class Journal {
  private final DataSource dataSource;

  Journal(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * A message was handled.
   *
   * @param id the message's, without hyphens
   */
  record Entry(long place, String worker, String id, Letter letter) {}

  Journal create(Product product) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE journal (place "
              + product.counter()
              + ", worker VARCHAR(40), id VARCHAR(36), inbox VARCHAR(20), payload VARCHAR(40))");
    }
    return this;
  }

  /** Notes a batch, in its order and all at once. */
  void add(String worker, String inbox, Batch<String> batch) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO journal (worker, id, inbox, payload) VALUES (?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (Delivery<String> delivery : batch.deliveries()) {
        insert.setString(1, worker);
        insert.setString(2, delivery.id().toString().replace("-", ""));
        insert.setString(3, inbox);
        insert.setString(4, delivery.payload());
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** The entries behind a place, in their order. */
  List<Entry> after(long place) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT place, worker, id, inbox, payload FROM journal WHERE place > ?"
                    + " ORDER BY place")) {
      select.setLong(1, place);
      try (ResultSet rows = select.executeQuery()) {
        List<Entry> entries = new ArrayList<>();
        while (rows.next()) {
          entries.add(
              new Entry(
                  rows.getLong(1),
                  rows.getString(2),
                  rows.getString(3),
                  Letter.parse(rows.getString(4), rows.getString(5))));
        }
        return entries;
      }
    }
  }

  /** The place of the last entry. */
  long end() {
    return number("SELECT COALESCE(MAX(place), 0) FROM journal");
  }

  /** How many entries a worker has made behind a place. */
  long count(String worker, long place) {
    return number(
        "SELECT COUNT(*) FROM journal WHERE place > " + place + " AND worker = '" + worker + "'");
  }

  private long number(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
