package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.Timeouts;

/** A process that requests timeouts for another to fire. */
final class TimeoutRequester {
  private TimeoutRequester() {}

  /** Arguments: the URL of the database, and how many timeouts to request. */
  public static void main(String[] arguments) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setMaximumPoolSize(4);
    int count = Integer.parseInt(arguments[1]);
    Timeouts timeouts = Timeouts.builder().remoteDestinations(TimeoutsPart.HERE).build();
    try (HikariDataSource pool = new HikariDataSource(config);
        JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom = Mailroom.builder().store(store).add(timeouts).build()) {
      for (int i = 0; i < count; i++) {
        TimeoutsPart.request(timeouts);
        System.out.println(mailroom.isRunning() ? 1 : 0);
      }
    }
  }
}
