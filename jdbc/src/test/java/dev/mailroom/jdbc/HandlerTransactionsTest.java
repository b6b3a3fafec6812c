package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidOptionsException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers in transactions do not take the pool's last connections. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HandlerTransactionsTest {
  private static final int POOL = 6;
  private static final String OTHER = "other";

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
  void other_messages_are_fetched_while_handlers_hold_their_transactions(Databases database)
      throws Exception {
    CountDownLatch holding = new CountDownLatch(POOL - 3);
    CountDownLatch release = new CountDownLatch(1);
    BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    try (Office office = new Office(database.create(), POOL)) {
      office.pool.setConnectionTimeout(2_000); // a pool without connections fails soon
      office.open(
          inbox ->
              inbox
                  .options(options -> options.concurrency(2 * POOL))
                  .handler(
                      String.class,
                      delivery -> {
                        Office.effect(
                            JdbcTransaction.connection(delivery.transaction()), delivery.payload());
                        holding.countDown();
                        release.await();
                        return Result.success();
                      }),
          builder ->
              builder.inbox(
                  OTHER,
                  inbox ->
                      inbox.handler(
                          String.class,
                          delivery -> {
                            handled.add(delivery.payload());
                            return Result.success();
                          })));
      try {
        office.mailroom().inbox(Office.INBOX).writeAll(names());
        office.mailroom().start();
        assertThat(holding.await(60, TimeUnit.SECONDS)).isTrue();
        for (String name : List.of("x", "y", "z")) {
          office.mailroom().inbox(OTHER).write(name);
          assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo(name);
        }
      } finally {
        release.countDown();
      }
      office.awaitDone();

      assertThat(office.effects()).hasSize(2 * POOL).allSatisfy((n, c) -> once(c));
    }
  }

  private static List<String> names() {
    return IntStream.range(0, 2 * POOL).mapToObj(i -> "m" + i).toList();
  }

  private static void once(int count) {
    assertThat(count).isEqualTo(1);
  }

  @Test
  void more_than_the_option_says_wait_and_the_applications_own_do_not() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5);
        JdbcStore store = JdbcStore.builder(office.pool).handlerTransactions(1).build()) {
      JdbcTransactions transactions = new JdbcTransactions(store);
      CountDownLatch begun = new CountDownLatch(1);
      Thread second =
          new Thread(
              () -> {
                store.begin().close();
                begun.countDown();
              });
      try (var first = store.begin()) {
        second.start();
        transactions.run(connection -> Office.effect(connection, "beside"));
        assertThat(begun.getCount()).isEqualTo(1);
        assertThat(first).isNotNull();
      }

      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(office.effects()).containsOnlyKeys("beside");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "4, 1", "5, 2", "10, 7", "20, 17"})
  void the_default_leaves_three_connections_of_the_pool(int size, int expected) {
    assertThat(TransactionPermits.of(OptionalInt.of(size), true, null).toString())
        .startsWith("at most " + expected + " handler transaction")
        .contains("a pool of " + size + " connections");
  }

  @Test
  void the_default_is_small_where_the_size_is_unknown_and_one_where_one_can_write() {
    assertThat(TransactionPermits.of(OptionalInt.empty(), true, null))
        .hasToString("at most 4 handler transactions at once on a pool of unknown size");
    assertThat(TransactionPermits.of(OptionalInt.of(9), false, 7))
        .hasToString("at most 1 handler transaction at once on a pool of 9 connections");
  }

  @Test
  void as_many_as_would_stop_fetching_are_refused() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5)) {
      assertThatExceptionOfType(InvalidOptionsException.class)
          .isThrownBy(() -> JdbcStore.builder(office.pool).handlerTransactions(4).build())
          .withMessageContaining("handlerTransactions")
          .withMessageContaining("at most 3");
      assertThatExceptionOfType(InvalidOptionsException.class)
          .isThrownBy(() -> JdbcStore.builder(office.pool).handlerTransactions(0).build())
          .withMessageContaining("handlerTransactions");
    }
  }
}
