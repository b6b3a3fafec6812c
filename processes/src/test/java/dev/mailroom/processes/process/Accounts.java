package dev.mailroom.processes.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.StepHandler;
import dev.mailroom.spi.Store;
import java.time.Duration;

/** Accounts that sum up payments, as a process type. */
final class Accounts {
  static final Duration LEASE = Duration.ofSeconds(1);

  private Accounts() {}

  @MessageContract(name = "account.payment")
  record Payment(String account, int amount) {}

  @MessageContract(name = "account.closing")
  record Closing(String account) {}

  @MessageContract(name = "account.balance")
  record Balance(int amount) {}

  /** The step for payments: one receipt for each, and a timeout. */
  static Balance pay(dev.mailroom.processes.Step<Balance> step, Payment payment) {
    step.send("receipts", "receipt of " + payment.amount());
    step.timeout("closing", Duration.ofDays(1), new Closing(step.key()));
    return new Balance(step.state().amount() + payment.amount());
  }

  static Processes<Balance> accounts(StepHandler<Balance, Payment> step) {
    return Processes.of("accounts", Balance.class)
        .initial(key -> new Balance(0))
        .options(options -> options.lease(LEASE).crashes(5, Backoff.fixed(Duration.ofMillis(50))))
        .starts(Payment.class, Payment::account, step)
        .on(Closing.class, Closing::account, (closing, message) -> closing.state())
        .acceptWeakDurability() // the database of a test need not wait for its disk
        .build();
  }

  static Mailroom mailroom(Store store, Processes<Balance> accounts) {
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(String.class, "account.text", 1)
        .inbox("receipts", inbox -> {})
        .add(accounts)
        .build();
  }

  static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(5);
    return pool;
  }

  static JdbcStore store(HikariDataSource pool) {
    return JdbcStore.builder(pool).migrateAtStart(true).build();
  }
}
