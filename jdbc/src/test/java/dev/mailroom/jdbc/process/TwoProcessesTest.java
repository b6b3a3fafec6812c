package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.jdbc.JdbcStore;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes share the work of one database. */
class TwoProcessesTest {
  private static final int MESSAGES = 10_000;
  private static final int AT_ONCE = 100;

  /** No lease runs out: nothing dies here, and so nothing may be handled twice. */
  private static final Duration LEASE = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MARIADB"})
  void everything_is_handled_once_and_in_order_by_both(Product product) throws Exception {
    try (Database database = product.create();
        HikariDataSource pool = Post.pool(product.url(database));
        JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
      Journal journal = new Journal(pool).create(product);
      Sender sender = new Sender(Post.writing(store), new Random(1));
      Stopwatch stopwatch;
      try (ChildJvm one = WorkerProcess.start(product.url(database), "one", LEASE);
          ChildJvm other = WorkerProcess.start(product.url(database), "other", LEASE)) {
        one.awaitReady();
        other.awaitReady();
        stopwatch = new Stopwatch();
        while (sender.sent().size() < MESSAGES) {
          sender.send(AT_ONCE);
        }
        Stopwatch.await(() -> "open: " + Post.open(store), () -> Post.open(store) == 0);
        one.stop();
        other.stop();
      }

      Map<String, Long> perWorker =
          new Handlings(journal.after(0))
              .requireAll(sender.sent())
              .requireOnce()
              .requireOrder()
              .perWorker();
      System.out.println(product + ": " + perWorker + " in " + stopwatch.elapsed());
      assertThat(perWorker).containsOnlyKeys("one", "other");
    }
  }
}
