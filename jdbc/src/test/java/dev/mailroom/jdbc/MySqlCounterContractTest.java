package dev.mailroom.jdbc;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.storetestkit.contract.StoreContract;
import dev.mailroom.storetestkit.contract.StoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The store on a server without sequences, as MySQL is one, keeps the whole contract. */
class MySqlCounterContractTest extends StoreContract {
  private static Pools pools;

  @BeforeAll
  static void openDatabase() throws Exception {
    Database database = MariaDbServer.shared(Durability.RELAXED).createDatabase();
    try (Connection connection = database.dataSource().getConnection()) {
      createTable(connection, "mailroom_number");
    }
    pools = new Pools(database);
  }

  /** What the migration makes on MySQL, and leaves as it is on MariaDB if it is there. */
  static void createTable(Connection connection, String name) throws Exception {
    String counter = " (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY) ENGINE = InnoDB";
    Dialect.execute(connection, "CREATE TABLE " + name + counter);
  }

  @AfterAll
  static void closeDatabase() {
    pools.close();
  }

  @Override
  protected StoreFixture open() {
    return new StoreOnDatabase(pools);
  }

  @Nested
  class JdbcTransactions extends Transactions {}

  @Nested
  class JdbcOverlappingTransactions extends OverlappingTransactions {}

  @Nested
  class JdbcInspection extends Inspection {}

  @Nested
  class JdbcMigration extends Migration {}
}
