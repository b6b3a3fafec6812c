package dev.mailroom.outbox.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Result;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransactions;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Places one order and publishes its event, up to the step at which it waits to be killed. */
final class ShopProcess {
  private static final int MEGABYTES = 64;

  private final HikariDataSource pool;
  private final Step last;

  private ShopProcess(HikariDataSource pool, Step last) {
    this.pool = pool;
    this.last = last;
  }

  static ChildJvm start(String url, Step last) {
    return ChildJvm.start(ShopProcess.class, MEGABYTES, url, last.name());
  }

  public static void main(String[] arguments) throws SQLException {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(arguments[0]);
      pool.setMaximumPoolSize(5);
      ShopProcess process = new ShopProcess(pool, Step.valueOf(arguments[1]));
      try (JdbcStore store = JdbcStore.builder(pool).build()) {
        process.placeOrder(store);
        process.dispatch(store);
      }
    }
    throw new AssertionError("The process passed the step at which it should have been killed.");
  }

  private void reach(Step step) {
    if (step == last) {
      ChildJvm.serve();
    }
  }

  private void placeOrder(JdbcStore store) throws SQLException {
    JdbcTransactions transactions = new JdbcTransactions(store);
    Outbox outbox = Shop.outbox().writeOnly().build();
    Shop.mailroom(store, transactions, outbox);
    try {
      transactions.run(connection -> placeOrder(connection, outbox));
    } catch (RolledBack expected) {
      reach(Step.ROLLED_BACK);
    }
    reach(Step.COMMITTED);
  }

  private void placeOrder(Connection connection, Outbox outbox) throws SQLException {
    reach(Step.BEGUN);
    Shop.execute(connection, "INSERT INTO orders (id, state) VALUES (?, 'new')", "order");
    reach(Step.STATE_WRITTEN);
    Shop.addEvent(outbox, "order");
    reach(Step.EVENT_ADDED);
    Shop.execute(connection, "UPDATE orders SET state = 'placed' WHERE id = ?", "order");
    reach(Step.BEFORE_COMMIT);
    if (last == Step.ROLLED_BACK) {
      throw new RolledBack();
    }
  }

  private void dispatch(Store store) {
    Outbox outbox =
        Shop.outbox()
            .dispatcher(
                message -> {
                  reach(Step.DISPATCHING);
                  Shop.publish(pool, message);
                  reach(Step.PUBLISHED);
                  return Result.success();
                })
            .build();
    Store watched =
        new ForwardingStore(store) {
          @Override
          public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
            reach(Step.BEFORE_SETTLING);
            Set<UUID> lost = super.settle(channel, settlements);
            reach(Step.SETTLED);
            return lost;
          }
        };
    Shop.mailroom(watched, () -> null, outbox);
    outbox.processPending();
  }

  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
