package dev.mailroom.jdbc;

import dev.mailroom.databases.SqliteFile;
import dev.mailroom.storetestkit.contract.StoreContract;
import dev.mailroom.storetestkit.contract.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The store on SQLite keeps the whole contract. */
class SqliteContractTest extends StoreContract {
  private static Pools pools;

  @BeforeAll
  static void openDatabase() {
    pools = new Pools(SqliteFile.create());
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
  class JdbcInspection extends Inspection {}

  @Nested
  class JdbcMigration extends Migration {}
}
