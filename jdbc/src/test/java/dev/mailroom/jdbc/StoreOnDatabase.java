package dev.mailroom.jdbc;

import dev.mailroom.spi.Store;
import dev.mailroom.testkit.ManualTime;
import dev.mailroom.testkit.contract.StoreFixture;
import java.time.Duration;
import javax.sql.DataSource;

/** Two stores on one database, and the hand on the clock of both. */
final class StoreOnDatabase implements StoreFixture {
  private final ManualTime time = new ManualTime();
  private final JdbcStore one;
  private final JdbcStore other;

  StoreOnDatabase(Pools pools) {
    this(pools.one(), pools.other(), true);
  }

  StoreOnDatabase(DataSource one, DataSource other, boolean wakeUps) {
    this.one = JdbcStore.builder(one).time(time).wakeUps(wakeUps).build();
    this.other = JdbcStore.builder(other).time(time).wakeUps(wakeUps).build();
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
