package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler's rows in a table of the application, and its message: both or neither. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionalHandlerTest {
  private static final int MESSAGES = 60;
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(5)).withJitter(0)).build();

  /** Two in three messages fail at first, after their effect: by an answer or by an exception. */
  private static Result answer(Delivery<String> delivery) {
    int number = Integer.parseInt(delivery.payload().substring(1));
    if (delivery.attempt() == 1 && number % 3 == 1) {
      return Result.fail("not yet");
    }
    if (delivery.attempt() == 1 && number % 3 == 2) {
      throw new IllegalStateException("not yet");
    }
    return Result.success();
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      names.add("m" + i);
    }
    return names;
  }

  private static Map<String, Integer> eachOnce() {
    Map<String, Integer> expected = new TreeMap<>();
    names().forEach(name -> expected.put(name, 1));
    return expected;
  }

  @ParameterizedTest
  @EnumSource
  void every_message_has_its_effect_once_though_handlers_fail(Databases database) throws Exception {
    try (Office office = new Office(database.create(), 10)) {
      office
          .open(
              inbox ->
                  inbox
                      .options(options -> options.concurrency(4).retry(SOON))
                      .handler(
                          String.class,
                          delivery -> {
                            Office.effect(
                                JdbcTransaction.connection(delivery.transaction()),
                                delivery.payload());
                            return answer(delivery);
                          }))
          .start();
      office.mailroom().inbox(Office.INBOX).writeAll(names());
      office.awaitDone();

      assertThat(office.effects()).isEqualTo(eachOnce());
      assertThat(office.telemetry.sum(Counter.LEASE_LOST)).isZero();
      assertThat(office.telemetry.sum(Counter.COMPLETED)).isEqualTo(MESSAGES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_message_of_a_batch_has_its_effect_once(Databases database) throws Exception {
    try (Office office = new Office(database.create(), 10)) {
      office
          .open(
              inbox ->
                  inbox
                      .options(
                          options ->
                              options
                                  .ordering(Ordering.WHEN_KEYED)
                                  .concurrency(4)
                                  .readBatch(7)
                                  .retry(SOON))
                      .batchHandler(
                          String.class,
                          batch -> {
                            Connection connection = JdbcTransaction.connection(batch.transaction());
                            BatchResult results = batch.results();
                            for (Delivery<String> delivery : batch.deliveries()) {
                              Office.effect(connection, delivery.payload());
                              boolean failed =
                                  delivery.attempt() == 1 && delivery.payload().endsWith("7");
                              results.add(delivery, failed ? Result.fail("no") : Result.success());
                            }
                            return results;
                          }))
          .start();
      for (String name : names()) {
        WriteOptions group = WriteOptions.builder().groupKey("g" + name.length()).build();
        office.mailroom().inbox(Office.INBOX).write(name, group);
      }
      office.awaitDone();

      assertThat(office.effects()).isEqualTo(eachOnce());
      assertThat(office.telemetry.sum(Counter.LEASE_LOST)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void messages_that_a_handler_writes_are_committed_with_its_own(Databases database)
      throws Exception {
    try (Office office = new Office(database.create(), 10)) {
      office
          .open(
              inbox ->
                  inbox
                      .options(options -> options.retry(SOON))
                      .handler(
                          String.class,
                          delivery -> {
                            if (!delivery.payload().endsWith("!")) {
                              office
                                  .mailroom()
                                  .inbox(Office.INBOX)
                                  .write(
                                      delivery.payload() + "!",
                                      options -> options.in(delivery.transaction()));
                              return answer(delivery);
                            }
                            Office.effect(
                                JdbcTransaction.connection(delivery.transaction()),
                                delivery.payload().replace("!", ""));
                            return Result.success();
                          }))
          .start();
      office.mailroom().inbox(Office.INBOX).writeAll(names());
      office.awaitDone();

      assertThat(office.effects()).isEqualTo(eachOnce());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_cannot_end_its_transaction(Databases database) throws Exception {
    try (Office office = new Office(database.create(), 10)) {
      List<Connection> kept = new CopyOnWriteArrayList<>();
      office
          .open(
              inbox ->
                  inbox.handler(
                      String.class,
                      delivery -> {
                        Connection connection = JdbcTransaction.connection(delivery.transaction());
                        kept.add(connection);
                        assertThat(connection.getAutoCommit()).isFalse();
                        refuses(connection::commit);
                        refuses(connection::rollback);
                        refuses(connection::close);
                        refuses(() -> connection.setAutoCommit(true));
                        connection.rollback(connection.setSavepoint());
                        Office.effect(connection, delivery.payload());
                        return Result.success();
                      }))
          .inbox(Office.INBOX)
          .write("m0");
      office.mailroom().processPending();

      assertThat(office.effects()).containsOnlyKeys("m0");
      assertThat(office.counts().leased()).isZero();
      assertThat(kept.get(0).isClosed()).isTrue();
      refuses(() -> kept.get(0).createStatement());
    }
  }

  private interface Use {
    void run() throws SQLException;
  }

  private static void refuses(Use use) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(use::run)
        .withMessageMatching("Not .*|The transaction .* has ended");
  }

  @Test
  void a_transaction_of_another_store_has_no_connection() {
    try (var other = MemoryStore.create().begin()) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> JdbcTransaction.connection(other))
          .withMessageContaining("MemoryTransaction");
    }
  }

  @Test
  void where_one_can_write_at_a_time_a_write_beside_the_own_transaction_is_refused()
      throws Exception {
    try (Office office = new Office(Databases.SQLITE.create(), 10)) {
      office.open(inbox -> {});
      try (var transaction = office.store.begin()) {
        assertThatExceptionOfType(IllegalStateException.class)
            .isThrownBy(() -> office.mailroom().inbox(Office.INBOX).write("beside"))
            .withMessageContaining("one writer");
        assertThat(transaction).isNotNull();
      }
    }
  }
}
