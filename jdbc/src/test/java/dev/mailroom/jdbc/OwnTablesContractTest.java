package dev.mailroom.jdbc;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.storetestkit.contract.StoreContract;
import dev.mailroom.storetestkit.contract.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Channels whose tables are not the main ones keep the whole contract. The main tables take no
 * rows, except for the list of channels and the states, so that a statement that goes astray fails.
 */
@Tag("repetition")
class OwnTablesContractTest extends StoreContract {
  private static Pools pools;

  @BeforeAll
  static void openDatabase() throws Exception {
    pools =
        new Pools(PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase());
    JdbcStore.builder(pools.one()).channelTables("any", "own_").migrateAtStart("any").build();
    try (var connection = pools.one().getConnection()) {
      for (String table : Schema.TABLES) {
        if (!Schema.SHARED.contains(table)) {
          Dialect.execute(connection, "ALTER TABLE mailroom_" + table + " ADD CHECK (false)");
        }
      }
      Dialect.execute(connection, "DROP SEQUENCE mailroom_number");
    }
  }

  @AfterAll
  static void closeDatabase() {
    pools.close();
  }

  @Override
  protected StoreFixture open() {
    return StoreOnDatabase.withOwnTables(pools, "own_");
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
