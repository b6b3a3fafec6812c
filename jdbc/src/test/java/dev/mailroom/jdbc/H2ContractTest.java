package dev.mailroom.jdbc;

import dev.mailroom.databases.H2Memory;
import dev.mailroom.storetestkit.contract.StoreContract;
import dev.mailroom.storetestkit.contract.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The store on H2 keeps the whole contract. */
class H2ContractTest extends StoreContract {
  private static Pools pools;

  @BeforeAll
  static void openDatabase() {
    pools = new Pools(H2Memory.create());
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
