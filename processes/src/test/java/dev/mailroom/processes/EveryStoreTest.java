package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.testkit.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole life of an order, on every database. */
class EveryStoreTest {

  enum Product {
    POSTGRES,
    POSTGRES_13,
    MARIADB,
    H2,
    SQLITE;

    Database create() {
      return switch (this) {
        case POSTGRES -> postgres(PostgresVersion.V18);
        case POSTGRES_13 -> postgres(PostgresVersion.V13);
        case MARIADB -> MariaDbServer.shared(Durability.RELAXED).createDatabase();
        case H2 -> H2Memory.create();
        case SQLITE -> SqliteFile.create();
      };
    }

    private static Database postgres(PostgresVersion version) {
      return PostgresServer.shared(version, Durability.RELAXED).createDatabase();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an order is reminded, paid or given up, and its timeouts go with it")
  void lives(Product product) {
    ManualTime time = new ManualTime();
    try (Database database = product.create();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(database.jdbcUrl());
      try (JdbcStore store = JdbcStore.builder(pool).time(time).migrateAtStart(true).build()) {
        OrderFlow flow = new OrderFlow(store, time);
        flow.orders.send(new Placed("paid"));
        flow.orders.send(new Placed("unpaid"));
        flow.run();
        time.advance(OrderFlow.DAY);
        flow.run();
        assertThat(flow.orders.list(ProcessFilter.ALL, null, 10).instances())
            .extracting(ProcessInstance::state)
            .containsExactly(new Order("paid", "waiting", 1), new Order("unpaid", "waiting", 1));

        flow.orders.send(new Paid("paid"));
        flow.run();
        time.advance(OrderFlow.DAY.multipliedBy(2));
        flow.run();

        assertThat(flow.orders.list(ProcessFilter.ALL, null, 10).instances()).isEmpty();
        assertThat(flow.mail())
            .containsExactlyInAnyOrder(
                "confirmed paid",
                "confirmed unpaid",
                "reminded paid",
                "reminded unpaid",
                "shipped paid");
        assertThat(flow.undone()).containsExactly("unconfirm unpaid", "unreserve unpaid");
        assertThat(flow.waiting()).isZero();
      }
    }
  }
}
