package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.InboxBuilder;
import dev.mailroom.Result;
import dev.mailroom.spi.Telemetry.Counter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule 10: eight handlers on a pool of two starve neither the lease keeper nor the settler. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SmallPoolTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g", "h");

  /** Keeps a connection busy for longer than half a lease, by a statement that takes so long. */
  private static void work(Connection connection, Databases database, String name)
      throws SQLException {
    Dialect.execute(
        connection, database == Databases.MARIADB ? "SELECT SLEEP(1.1)" : "SELECT pg_sleep(1.1)");
    Office.effect(connection, name);
  }

  private interface Task {
    void run(Office office, Delivery<String> delivery) throws SQLException;
  }

  private static void run(Databases database, Task task) throws Exception {
    try (Office office = new Office(database.create(), 2)) {
      Consumer<InboxBuilder> eight =
          inbox ->
              inbox
                  .options(options -> options.concurrency(8).lease(LEASE))
                  .handler(
                      String.class,
                      delivery -> {
                        task.run(office, delivery);
                        return Result.success();
                      });
      office.open(eight).inbox(Office.INBOX).writeAll(NAMES);
      office.mailroom().start();
      office.awaitDone();

      assertThat(office.effects()).hasSize(NAMES.size()).allSatisfy((n, c) -> once(c));
      assertThat(office.telemetry.sum(Counter.LEASE_LOST)).isZero();
      assertThat(office.telemetry.sum(Counter.RECLAIMED)).isZero();
      assertThat(office.telemetry.sum(Counter.FAILED)).isZero();
    }
  }

  private static void once(int count) {
    assertThat(count).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void handlers_that_borrow_from_the_pool(Databases database) throws Exception {
    run(
        database,
        (office, delivery) -> {
          try (Connection connection = office.pool.getConnection()) {
            work(connection, database, delivery.payload());
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void handlers_in_transactions(Databases database) throws Exception {
    run(
        database,
        (office, delivery) ->
            work(JdbcTransaction.connection(delivery.transaction()), database, delivery.payload()));
  }
}
