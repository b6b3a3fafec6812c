package dev.mailroom.outbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.outbox.Outbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process places an order and records its event in one transaction, then publishes it. It is
 * killed at every step, as by {@code kill -9}, and another process goes on.
 */
class KilledPublisherTest {
  private static final String AFTERWARDS = "afterwards";

  @ParameterizedTest
  @EnumSource
  @DisplayName("the event is published if and only if the order is placed")
  void killedAt(Step step) throws Exception {
    try (Database database =
            PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(database.jdbcUrl());
      Shop.createTables(pool);
      try (JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
        try (ChildJvm child = ShopProcess.start(database.jdbcUrl(), step)) {
          child.awaitReady();
          child.kill();
        }
        goOn(pool, store);
      }

      List<String> orders = Shop.query(pool, "SELECT state FROM orders");
      assertThat(orders).isEqualTo(step.isCommitted() ? List.of("placed") : List.of());
      List<String> published = new ArrayList<>(Collections.nCopies(step.published, "order"));
      published.add(AFTERWARDS);
      assertThat(Shop.query(pool, "SELECT event FROM published ORDER BY place"))
          .isEqualTo(published);
      assertThat(Shop.query(pool, "SELECT DISTINCT id FROM published WHERE event = 'order'"))
          .hasSize(step.isCommitted() ? 1 : 0);
    }
  }

  /** Another process: when the event behind the order's is published, the order's has been. */
  private static void goOn(HikariDataSource pool, JdbcStore store) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Outbox outbox =
        Shop.outbox()
            .dispatcher(
                message -> {
                  Shop.publish(pool, message);
                  if (AFTERWARDS.equals(message.event())) {
                    done.countDown();
                  }
                  return Result.success();
                })
            .build();
    try (Mailroom mailroom = Shop.mailroom(store, () -> null, outbox)) {
      mailroom.start();
      Shop.addEvent(outbox, AFTERWARDS);
      assertThat(done.await(2, TimeUnit.MINUTES)).as("the next event is published").isTrue();
    }
  }
}
