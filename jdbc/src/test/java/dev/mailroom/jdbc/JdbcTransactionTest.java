package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.mailroom.databases.Database;
import dev.mailroom.errors.StoreException;
import dev.mailroom.spi.Channel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection of the application whose transaction the store joins. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JdbcTransactionTest {
  private static final Channel CHANNEL = channel("work").build();

  @ParameterizedTest
  @EnumSource
  void a_connection_in_auto_commit_mode_is_refused(Databases kind) throws SQLException {
    try (Database database = kind.create();
        Connection connection = database.dataSource().getConnection()) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> JdbcTransaction.of(connection))
          .withMessageContaining("auto-commit")
          .withMessageContaining("setAutoCommit(false)");
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> JdbcTransaction.of(connection, Runnable::run))
          .withMessageContaining("auto-commit");

      connection.setAutoCommit(false);
      assertThat(JdbcTransaction.of(connection).connection()).isSameAs(connection);
    }
  }

  @Test
  void a_closed_connection_is_refused() throws SQLException {
    try (Database database = Databases.H2.create()) {
      Connection connection = database.dataSource().getConnection();
      connection.close();

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> JdbcTransaction.of(connection))
          .withMessageContaining("join the connection's transaction");
    }
  }

  @Test
  void null_is_refused_by_name() {
    assertThatNullPointerException()
        .isThrownBy(() -> JdbcTransaction.of(null))
        .withMessage("connection");
    assertThatNullPointerException()
        .isThrownBy(() -> JdbcTransaction.connection(null))
        .withMessage("transaction");
  }

  @ParameterizedTest
  @EnumSource
  void the_applications_hook_is_given_what_to_run_after_the_commit(Databases kind)
      throws SQLException {
    List<Runnable> hook = new ArrayList<>();
    List<String> ran = new ArrayList<>();
    try (Database database = kind.create();
        JdbcStore store = JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
        Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      JdbcTransaction transaction = JdbcTransaction.of(connection, hook::add);
      store.append(CHANNEL, List.of(message("a").build()), transaction);
      assertThat(hook).as("the store's wake-up").hasSize(1);
      transaction.afterCommit(() -> ran.add("the caller's"));
      connection.commit();

      assertThat(ran).isEmpty();
      hook.forEach(Runnable::run);

      assertThat(ran).containsExactly("the caller's");
      assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
    }
  }
}
