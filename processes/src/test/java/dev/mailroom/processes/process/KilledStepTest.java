package dev.mailroom.processes.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.ProcessInstance;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.process.Accounts.Balance;
import dev.mailroom.processes.process.Accounts.Payment;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process takes a step and is killed at every moment of it, as by {@code kill -9}: either all of
 * the step is there or nothing, and another process goes on.
 */
class KilledStepTest {

  enum Product {
    POSTGRES,
    MARIADB,
    SQLITE;

    Database create() {
      return switch (this) {
        case POSTGRES -> postgres(PostgresVersion.V18);
        case MARIADB -> MariaDbServer.shared(Durability.RELAXED).createDatabase();
        case SQLITE -> SqliteFile.create();
      };
    }

    private static Database postgres(PostgresVersion version) {
      return PostgresServer.shared(version, Durability.RELAXED).createDatabase();
    }
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(Product.values())
        .flatMap(
            product -> Stream.of(Moment.values()).map(moment -> Arguments.of(product, moment)));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  @DisplayName("all of the step or nothing")
  void killed(Product product, Moment moment) throws Exception {
    try (Database database = product.create();
        HikariDataSource pool = Accounts.pool(database.jdbcUrl());
        JdbcStore store = Accounts.store(pool)) {
      CountDownLatch second = new CountDownLatch(1);
      Processes<Balance> accounts =
          Accounts.accounts(
              (step, payment) -> {
                if (payment.amount() == 2) {
                  second.countDown();
                }
                return Accounts.pay(step, payment);
              });
      try (Mailroom mailroom = Accounts.mailroom(store, accounts)) {
        accounts.send(new Payment("t", 1));
        try (ChildJvm child = AccountProcess.start(database.jdbcUrl(), moment)) {
          child.awaitReady();
          child.kill();
        }
        int done = moment.done ? 1 : 0;
        assertThings(mailroom, accounts, done, done, 1);

        mailroom.start();
        accounts.send(new Payment("t", 2));
        assertThat(second.await(2, TimeUnit.MINUTES)).as("the next step is taken").isTrue();
        mailroom.stop();
        assertThings(mailroom, accounts, 3, 2, 1);
      }
    }
  }

  /** Everything tells the same: the state, what was sent, and the messages that wait. */
  private static void assertThings(
      Mailroom mailroom, Processes<Balance> accounts, int balance, long receipts, long waiting) {
    Optional<ProcessInstance<Balance>> account = accounts.find("t");
    assertThat(account.map(found -> found.state().amount()).orElse(0)).isEqualTo(balance);
    assertThat(account.map(found -> found.timeouts().size()).orElse(1)).isEqualTo(1);
    assertThat(open(mailroom.inbox("receipts"))).isEqualTo(receipts);
    assertThat(open(mailroom.inbox("accounts")))
        .as("the payment, or the timeout that it has asked for")
        .isEqualTo(waiting);
  }

  private static long open(Inbox inbox) {
    var counts = inbox.inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }
}
