package dev.mailroom.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.storetestkit.contract.StoreFixture;
import dev.mailroom.test.ManualTime;
import java.time.Duration;

/** Two stores on a database of their own, and the hand on the clock of both. */
final class SimulatedNodes implements StoreFixture {
  /** More than the producer ever has open transactions, and the workers. */
  private static final int CONNECTIONS = 60;

  private final ManualTime time = new ManualTime();
  private final Database database;
  private final HikariDataSource pool = new HikariDataSource();
  private final Store one;
  private final Store other;

  /** Nodes whose stores have transactions for the caller, or do as if they had none. */
  SimulatedNodes(Product product, boolean transactional) {
    this.database = product.create();
    pool.setJdbcUrl(product.url(database));
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(0);
    pool.setConnectionInitSql(product.patience());
    this.one = open(transactional);
    this.other = open(transactional);
  }

  private Store open(boolean transactional) {
    JdbcStore store =
        JdbcStore.builder(pool).time(time).wakeUps(false).migrateAtStart(true).build();
    return transactional ? store : new ForwardingStore(store);
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
    pool.close();
    database.close();
  }
}
