package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.jdbc.JdbcStore;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Worker processes are killed in the middle of their batches, as by {@code kill -9}. Three times on
 * each database in the normal build. More often, or once more as it was:
 *
 * <pre>
 * mvn -Pquick -pl jdbc -am test -Dtest=KilledProcessTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.kills=20 [-Dmailroom.kills.seed=42]
 * </pre>
 */
class KilledProcessTest {
  private static final int KILLS = Integer.getInteger("mailroom.kills", 3);
  private static final long SEED = Long.getLong("mailroom.kills.seed", new Random().nextLong());
  private static final Duration LEASE = Duration.ofSeconds(2);

  /**
   * From the kill until another process handles what the dead one held: its lease, and two seconds
   * for the sweep (every quarter of a lease), the back-off after a crash (100 ms here, one second
   * by default) and the claim. The normal build, which may share its machine, gives it longer.
   */
  private static final Duration BOUND =
      LEASE.plusSeconds(System.getProperty("mailroom.kills") == null ? 20 : 2);

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MARIADB", "SQLITE"})
  void nothing_is_lost_and_order_is_kept(Product product) throws Exception {
    System.out.println(product + ": " + KILLS + " kills with -Dmailroom.kills.seed=" + SEED);
    Random random = new Random(SEED);
    try (Database database = product.create();
        HikariDataSource pool = Post.pool(product.url(database));
        JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
      Journal journal = new Journal(pool).create(product);
      Sender sender = new Sender(Post.writing(store), random);
      try (Massacre massacre = new Massacre(product, product.url(database), pool, LEASE);
          Load load = new Load(sender, store)) {
        for (int kill = 1; kill <= KILLS; kill++) {
          Massacre.Recovery recovery = massacre.kill(random);
          System.out.println("  kill " + kill + ": " + recovery);
          assertThat(recovery.first()).as("from the kill to the next handling").isLessThan(BOUND);
        }
        load.end();
        Stopwatch.await(() -> "open: " + Post.open(store), () -> Post.open(store) == 0);
        massacre.end();
      }

      Handlings handlings =
          new Handlings(journal.after(0)).requireAll(sender.sent()).requireOrder();
      System.out.println(
          "  %d messages handled, %d of them again"
              .formatted(sender.sent().size(), handlings.repeats()));
      assertThat(Post.dead(store)).isZero();
    }
  }
}
