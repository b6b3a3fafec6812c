package dev.mailroom.jdbc;

import dev.mailroom.spi.Store;
import dev.mailroom.testkit.ManualTime;
import dev.mailroom.testkit.contract.StoreFixture;
import java.time.Duration;

/** Two stores on one database, and the hand on the clock of both. */
final class StoreOnDatabase implements StoreFixture {
  private final ManualTime time = new ManualTime();
  private final JdbcStore one;
  private final JdbcStore other;

  StoreOnDatabase(Pools pools) {
    this.one = JdbcStore.builder(pools.one()).time(time).build();
    this.other = JdbcStore.builder(pools.other()).time(time).build();
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
}
