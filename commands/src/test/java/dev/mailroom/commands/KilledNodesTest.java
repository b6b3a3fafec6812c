package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two processes run a recurring command on PostgreSQL, and one after the other is killed. */
class KilledNodesTest {
  private static final int KILLS = Integer.getInteger("mailroom.kills", 3);
  private static final int LOOKS = 6_000;

  private final Database database =
      PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();

  @Test
  void each_run_comes_and_there_is_one_chain() throws Exception {
    try (database;
        HikariDataSource pool = NodeProcess.pool(database.jdbcUrl());
        JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
      execute(pool, "CREATE TABLE effect (run_time BIGINT NOT NULL)");
      CommandSchedule commands = CommandSchedule.builder().build();
      Mailroom.builder().store(store).add(commands).build();

      killNodes(pool, commands);

      List<Long> times = times(pool);
      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < times.size(); i++) {
        expected.add(times.get(0) + i * NodeProcess.INTERVAL.toMillis());
      }
      assertThat(times).as("the times of all runs, without gap").isEqualTo(expected);
      assertThat(commands.deadLetters().list(DeadLetterFilter.all(), 1).letters()).isEmpty();
    }
  }

  private void killNodes(HikariDataSource pool, CommandSchedule commands) throws Exception {
    ChildJvm[] nodes = {node(), node()};
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        awaitMore(pool);
        nodes[kill % 2].kill();
        nodes[kill % 2] = node();
      }
      awaitMore(pool);
      commands.recurring().pause("pay");
      await("everything that was begun is done", () -> isEmpty(commands));
      nodes[0].stop();
      nodes[1].stop();
    } finally {
      nodes[0].close();
      nodes[1].close();
    }
  }

  private ChildJvm node() {
    return ChildJvm.start(NodeProcess.class, 128, database.jdbcUrl());
  }

  private static boolean isEmpty(CommandSchedule commands) {
    ChannelCounts counts = commands.inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased() == 0;
  }

  private static void awaitMore(HikariDataSource pool) throws Exception {
    int wanted = times(pool).size() + 10;
    await(wanted + " runs", () -> times(pool).size() >= wanted);
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    for (int look = 0; look < LOOKS; look++) {
      if (condition.call()) {
        return;
      }
      if (never.await(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("no thread counts this latch down");
      }
    }
    throw new AssertionError("still not true: " + what);
  }

  /** The times that were run for, each once. */
  private static List<Long> times(HikariDataSource pool) throws SQLException {
    List<Long> times = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT DISTINCT run_time FROM effect ORDER BY run_time")) {
      while (rows.next()) {
        times.add(rows.getLong(1));
      }
    }
    return times;
  }

  private static void execute(HikariDataSource pool, String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
