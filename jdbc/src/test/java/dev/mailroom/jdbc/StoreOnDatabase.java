package dev.mailroom.jdbc;

import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.contract.StoreFixture;
import dev.mailroom.test.ManualTime;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Two stores on one database, and the hand on the clock of both. */
final class StoreOnDatabase implements StoreFixture {
  private final ManualTime time;
  private final JdbcStore one;
  private final JdbcStore other;

  StoreOnDatabase(Pools pools) {
    this(pools.one(), pools.other(), true);
  }

  StoreOnDatabase(DataSource one, DataSource other, boolean wakeUps) {
    this.time = new ManualTime();
    this.one = JdbcStore.builder(one).time(time).wakeUps(wakeUps).build();
    this.other = JdbcStore.builder(other).time(time).wakeUps(wakeUps).build();
  }

  private StoreOnDatabase(ManualTime time, JdbcStore one, JdbcStore other) {
    this.time = time;
    this.one = one;
    this.other = other;
  }

  /** Two stores on PostgreSQL where every channel, whatever its name, lives in one further set. */
  static StoreOnDatabase withOwnTables(Pools pools, String prefix) {
    ManualTime time = new ManualTime();
    return new StoreOnDatabase(
        time, store(pools.one(), prefix, time), store(pools.other(), prefix, time));
  }

  private static JdbcStore store(DataSource source, String prefix, TimeSource time) {
    Dialect dialect = new PostgresDialect(true);
    Schema main =
        new Schema(null, JdbcStoreBuilder.DEFAULT_TABLE_PREFIX, dialect, PayloadColumn.BYTES);
    Schema schema = main.with(new Everybody(main.beside(prefix, PayloadColumn.BYTES)));
    Transactions transactions =
        new Transactions(Connections.of(source), dialect, schema, time, Deadlines.NONE);
    Migrations migrations = new Migrations(transactions, dialect, schema);
    return new LeasingStore(
        new JdbcStoreBuilder.Parts(
            source,
            transactions,
            dialect,
            migrations,
            TransactionPermits.of(OptionalInt.empty(), true, null),
            () -> {}));
  }

  /** Tests make up the names of channels as they go. */
  private static final class Everybody extends HashMap<String, Schema> {
    private static final long serialVersionUID = 1L;

    Everybody(Schema own) {
      super(Map.of("any", own));
    }

    @Override
    public Schema getOrDefault(Object channel, Schema main) {
      return get("any");
    }
  }

  @Override
  public Store store() {
    return one;
  }

  @Override
  public Store another() {
    return other;
  }

  @Override
  public void advance(Duration duration) {
    time.advance(duration);
  }

  @Override
  public void close() {
    one.close();
    other.close();
  }
}
