package dev.mailroom.jdbc;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.storetestkit.contract.StoreContract;
import dev.mailroom.storetestkit.contract.StoreFixture;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The store keeps the whole contract, except for wake-ups, over a data source that hands every
 * transaction another connection, as a proxy that pools transactions may: no state of a session
 * survives.
 */
@Tag("repetition")
class PostgresBehindProxyContractTest extends StoreContract {
  private static Database database;
  private static RotatingConnections connections;

  @BeforeAll
  static void openDatabase() throws SQLException {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
    connections = new RotatingConnections(database.dataSource());
  }

  @AfterAll
  static void closeDatabase() throws SQLException {
    connections.close();
    database.close();
  }

  @Override
  protected StoreFixture open() {
    return new StoreOnDatabase(connections.dataSource(), connections.dataSource(), false);
  }

  @Nested
  class JdbcTransactions extends Transactions {}

  @Nested
  class JdbcOverlappingTransactions extends OverlappingTransactions {}

  @Nested
  class JdbcLeasedAppends extends LeasedAppends {}

  @Nested
  class JdbcInspection extends Inspection {}

  @Nested
  class JdbcMigration extends Migration {}
}
