package dev.mailroom.outbox.process;

import dev.mailroom.Mailroom;
import dev.mailroom.options.Backoff;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.outbox.OutboxBuilder;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.transactions.CurrentTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Orders, their events, and what was published of them: as the processes know them. */
final class Shop {
  static final Duration LEASE = Duration.ofSeconds(1);

  private Shop() {}

  static void createTables(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, state VARCHAR(20))");
      statement.execute(
          "CREATE TABLE published (place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
              + " id VARCHAR(36), event VARCHAR(20))");
    }
  }

  /** An outbox that comes back from a killed process quickly. */
  static OutboxBuilder outbox() {
    return Outbox.builder()
        .options(options -> options.lease(LEASE).crashes(5, Backoff.fixed(Duration.ofMillis(50))));
  }

  static Mailroom mailroom(Store store, CurrentTransaction transactions, Outbox outbox) {
    return Mailroom.builder()
        .store(store)
        .currentTransaction(transactions)
        .contract(String.class, "shop.event", 1)
        .add(outbox)
        .build();
  }

  /** All events have one key, so what comes behind an event shows what became of it. */
  static void addEvent(Outbox outbox, String event) {
    outbox.add(event, options -> options.topic("orders").key("shop"));
  }

  static void execute(Connection connection, String sql, String... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** The receiver: it keeps what it is given, even if the sender dies. */
  static void publish(DataSource database, OutboxMessage message) throws SQLException {
    try (Connection connection = database.getConnection()) {
      execute(
          connection,
          "INSERT INTO published (id, event) VALUES (?, ?)",
          message.id().toString(),
          (String) message.event());
    }
  }

  static List<String> query(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
