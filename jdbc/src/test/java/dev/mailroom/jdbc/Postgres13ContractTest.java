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

/** The store on the oldest PostgreSQL keeps the whole contract. */
@Tag("repetition")
class Postgres13ContractTest extends StoreContract {
  private static Pools pools;

  @BeforeAll
  static void openDatabase() {
    pools =
        new Pools(PostgresServer.shared(PostgresVersion.V13, Durability.RELAXED).createDatabase());
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
  class JdbcWaking extends Waking {}

  @Nested
  class JdbcWakingAfterCommit extends WakingAfterCommit {}

  @Nested
  class JdbcLeasedAppends extends LeasedAppends {}

  @Nested
  class JdbcInspection extends Inspection {}

  @Nested
  class JdbcMigration extends Migration {}
}
