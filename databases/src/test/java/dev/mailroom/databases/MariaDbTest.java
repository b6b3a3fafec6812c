package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbTest extends DatabaseServerTest {

  @Override
  MariaDbServer server() {
    return MariaDbServer.shared(Durability.RELAXED);
  }

  @Test
  void isMariaDb() {
    assumeTrue(server().canBeStopped());

    assertThat(server().version()).matches("11\\.\\d+\\.\\d+-MariaDB");
  }

  @Test
  void isSetUpAsByDefaultButForItsCharacters() throws SQLException {
    assumeTrue(server().canBeStopped());

    assertThat(setting(server(), "transaction_isolation")).isEqualTo("REPEATABLE-READ");
    assertThat(setting(server(), "default_storage_engine")).isEqualTo("InnoDB");
    assertThat(setting(server(), "character_set_server")).isEqualTo("utf8mb4");
    assertThat(setting(server(), "innodb_flush_log_at_trx_commit")).isEqualTo("2");
  }

  @Test
  void waitsForTheDiskByDefault() throws SQLException {
    MariaDbServer durable = MariaDbServer.shared();
    assumeTrue(durable.canBeStopped());

    assertThat(setting(durable, "innodb_flush_log_at_trx_commit")).isEqualTo("1");
    assertThat(setting(durable, "innodb_doublewrite")).isEqualTo("ON");
  }

  @Test
  void answersToTheDriverOfMySqlToo() throws SQLException {
    assumeTrue(server().canBeStopped());
    try (Database database = create()) {
      String url = database.jdbcUrl().replace("jdbc:mariadb:", "jdbc:mysql:");

      assertThat(Sql.query(MariaDbServer.connect(url), "select 'ä€😀'")).containsExactly("ä€😀");
    }
  }

  private static String setting(MariaDbServer server, String name) throws SQLException {
    return Sql.query(server.dataSource(), "select @@global." + name).get(0);
  }
}
