package dev.mailroom.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest {
  @TempDir private Path directory;

  @Test
  void every_connection_of_the_store_writes_with_full_synchronisation() throws SQLException {
    try (TestServer server = TestServer.start(directory, "inboxes: {orders: {}}")) {
      List<Connection> taken = new ArrayList<>();
      try {
        for (int i = 0; i < 3; i++) {
          Connection connection = server.server().connection().connections().getConnection();
          taken.add(connection);
          assertThat(pragma(connection, "synchronous")).isEqualTo("2"); // FULL
          assertThat(pragma(connection, "journal_mode")).isEqualTo("wal");
        }
      } finally {
        for (Connection connection : taken) {
          connection.close();
        }
      }
    }
    assertThat(directory.resolve("data/mailroom.db")).exists();
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  @Test
  void a_url_cannot_ask_for_less() throws SQLException {
    String url = "jdbc:sqlite:data/x.db?synchronous=OFF";
    try (TestServer server = TestServer.start(directory, "store: {url: '" + url + "'}");
        Connection connection = server.server().connection().connections().getConnection()) {
      assertThat(pragma(connection, "synchronous")).isEqualTo("2");
    }
  }

  @Test
  void a_database_in_memory_is_refused() {
    assertThatThrownBy(() -> TestServer.start(directory, "store: {url: 'jdbc:sqlite::memory:'}"))
        .hasMessageContaining("names no file");
  }
}
