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

/** A till that counts what is paid in, as the processes know it. */
final class Till {
  static final Duration LEASE = Duration.ofSeconds(1);

  private Till() {}

  @MessageContract(name = "till.payment")
  record Payment(String till, int amount) {}

  @MessageContract(name = "till.closing")
  record Closing(String till) {}

  @MessageContract(name = "till.balance")
  record Balance(int amount) {}

  /** The step for payments: one receipt for each, and a timeout. */
  static Balance pay(dev.mailroom.processes.Step<Balance> step, Payment payment) {
    step.send("receipts", "receipt of " + payment.amount());
    step.timeout("closing", Duration.ofDays(1), new Closing(step.key()));
    return new Balance(step.state().amount() + payment.amount());
  }

  static Processes<Balance> tills(StepHandler<Balance, Payment> step) {
    return Processes.of("tills", Balance.class)
        .initial(key -> new Balance(0))
        .options(options -> options.lease(LEASE).crashes(5, Backoff.fixed(Duration.ofMillis(50))))
        .starts(Payment.class, Payment::till, step)
        .on(Closing.class, Closing::till, (closing, message) -> closing.state())
        .acceptWeakDurability() // the database of a test need not wait for its disk
        .build();
  }

  static Mailroom mailroom(Store store, Processes<Balance> tills) {
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(String.class, "till.text", 1)
        .inbox("receipts", inbox -> {})
        .add(tills)
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
