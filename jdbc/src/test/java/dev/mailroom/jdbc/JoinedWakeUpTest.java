package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.WakeUps;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Writes that join a plain connection wake handlers when it commits. Notifications arrive in the
 * order of their commits, so that what is heard after a later one was never sent.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JoinedWakeUpTest {
  private static final Channel FIRST = channel("first").build();
  private static final Channel LAST = channel("last").build();
  private static final Duration HOUR = Duration.ofHours(1);

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private Office office;

  @BeforeEach
  void open() throws SQLException {
    office = new Office(Databases.POSTGRESQL.create(), 10);
  }

  @AfterEach
  void close() {
    office.close();
  }

  private void listen() {
    ((WakeUps) office.store).subscribe(heard::add);
  }

  private Connection begin() throws SQLException {
    Connection connection = office.pool.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static void write(JdbcStore store, Channel channel, JdbcTransaction transaction) {
    store.append(channel, List.of(message("m").build()), transaction);
  }

  private String next() throws InterruptedException {
    return heard.poll(30, TimeUnit.SECONDS);
  }

  private void commitLast() throws SQLException {
    try (Connection connection = begin()) {
      write(office.store, LAST, JdbcTransaction.of(connection));
      connection.commit();
    }
  }

  @Test
  void a_commit_wakes_and_nothing_before_it_does() throws Exception {
    listen();
    try (Connection open = begin();
        Connection connection = begin()) {
      write(office.store, FIRST, JdbcTransaction.of(open));
      write(office.store, LAST, JdbcTransaction.of(connection));
      connection.commit();
      assertThat(next()).isEqualTo("last");
      open.commit();
    }

    assertThat(next()).isEqualTo("first");
  }

  @Test
  void transactions_in_quick_succession_wake_after_the_last_of_them() throws Exception {
    try (Connection connection = begin()) {
      write(office.store, FIRST, JdbcTransaction.of(connection));
      connection.commit();
      listen();
      write(office.store, FIRST, JdbcTransaction.of(connection));
      write(office.store, FIRST, JdbcTransaction.of(connection));
      connection.commit();
    }

    assertThat(next()).isEqualTo("first");
  }

  @Test
  void a_rollback_wakes_no_one() throws Exception {
    listen();
    try (Connection connection = begin()) {
      write(office.store, FIRST, JdbcTransaction.of(connection));
      connection.rollback();
    }
    commitLast();

    assertThat(next()).isEqualTo("last");
  }

  @Test
  void what_follows_a_rollback_to_a_savepoint_wakes() throws Exception {
    listen();
    try (Connection connection = begin()) {
      JdbcTransaction transaction = JdbcTransaction.of(connection);
      Savepoint savepoint = connection.setSavepoint();
      write(office.store, FIRST, transaction);
      connection.rollback(savepoint);
      write(office.store, FIRST, transaction);
      connection.commit();
    }

    assertThat(next()).isEqualTo("first");
  }

  @Test
  void with_a_hook_nothing_is_sent_inside_of_the_transaction() throws Exception {
    listen();
    List<Runnable> hook = new ArrayList<>();
    try (Connection connection = begin()) {
      write(office.store, FIRST, JdbcTransaction.of(connection, hook::add));
      connection.commit();
    }
    commitLast();
    assertThat(next()).isEqualTo("last");
    hook.forEach(Runnable::run);

    assertThat(next()).isEqualTo("first");
  }

  @Test
  void where_it_is_switched_off_nothing_is_sent_inside_of_the_transaction() throws Exception {
    listen();
    try (JdbcStore silent = JdbcStore.builder(office.pool).notifyInTransaction(false).build();
        Connection connection = begin()) {
      write(silent, FIRST, JdbcTransaction.of(connection));
      connection.commit();
    }
    commitLast();

    assertThat(next()).isEqualTo("last");
  }

  @Test
  void an_idle_inbox_handles_the_message_without_a_poll() throws Exception {
    BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    office
        .open(
            inbox ->
                inbox
                    .options(options -> options.poll(HOUR, HOUR))
                    .handler(
                        String.class,
                        delivery -> {
                          handled.add(delivery.payload());
                          return Result.success();
                        }))
        .start();
    for (String payload : List.of("a", "b", "c")) {
      try (Connection connection = begin()) {
        office
            .mailroom()
            .inbox(Office.INBOX)
            .write(payload, options -> options.in(JdbcTransaction.of(connection)));
        connection.commit();
      }
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo(payload);
    }
  }
}
