package dev.mailroom.commands;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.mediator.Mediator;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javax.sql.DataSource;

/** A process that registers a recurring command and runs it, until it is killed. */
final class NodeProcess {
  static final Duration INTERVAL = Duration.ofMillis(100);
  static final Duration LEASE = Duration.ofSeconds(2);
  static final RecurringCommand RECURRING =
      RecurringCommand.of(
          "pay",
          new Pay("a"),
          Recurrence.every(INTERVAL),
          options -> options.missed(MissedRuns.CATCH_UP));

  private NodeProcess() {}

  /** Works on the database with this URL. */
  public static void main(String[] arguments) {
    try (HikariDataSource pool = pool(arguments[0]);
        JdbcStore store = JdbcStore.builder(pool).build()) {
      Mediator mediator =
          Mediator.builder()
              .command(
                  Pay.class,
                  (command, context) ->
                      note(pool, Objects.requireNonNull(context.get(RecurringRun.KEY)).time()))
              .build();
      CommandSchedule commands =
          CommandSchedule.builder()
              .mediator(mediator)
              .options(options -> options.lease(LEASE))
              .build();
      try (Mailroom mailroom =
          Mailroom.builder().store(store).codec(new JacksonCodec()).add(commands).build()) {
        commands.recurring().register(RECURRING);
        mailroom.start();
        ChildJvm.serve();
      }
    }
  }

  static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(6);
    return pool;
  }

  private static void note(DataSource source, Instant time) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO effect (run_time) VALUES (?)")) {
      insert.setLong(1, time.toEpochMilli());
      insert.executeUpdate();
    }
  }
}
