package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.databases.H2Memory;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Writes join the transaction that is bound to their thread. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JdbcTransactionsTest {
  private Office office;
  private JdbcTransactions transactions;

  @BeforeEach
  void open() throws Exception {
    office = new Office(H2Memory.create(), 5);
    transactions = new JdbcTransactions(office.store);
    office.open(inbox -> {}, builder -> builder.currentTransaction(transactions));
  }

  @AfterEach
  void close() {
    office.close();
  }

  private void write(String text) {
    office.mailroom().inbox(Office.INBOX).write(text);
  }

  @Test
  void rows_and_messages_are_committed_together() throws Exception {
    transactions.run(
        connection -> {
          Office.effect(connection, "a");
          write("a");
          assertThat(office.counts().ready()).as("visible to others").isZero();
        });

    assertThat(office.effects()).containsOnlyKeys("a");
    assertThat(office.counts().ready()).isEqualTo(1);
  }

  @Test
  void what_is_thrown_rolls_back_and_comes_out_as_it_is() throws Exception {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      Office.effect(connection, "a");
                      write("a");
                      throw new IOException("no");
                    }));

    assertThat(office.effects()).isEmpty();
    assertThat(office.counts().ready()).isZero();
    assertThat(transactions.current()).isNull();
  }

  @Test
  void an_inner_call_is_part_of_the_outer_one() throws Exception {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                transactions.run(
                    outer -> {
                      boolean same = transactions.call(inner -> inner.equals(outer));
                      assertThat(same).isTrue();
                      transactions.run(inner -> Office.effect(inner, "a"));
                      throw new IOException("no");
                    }));

    assertThat(office.effects()).isEmpty();
  }

  @Test
  void outside_of_a_transaction_writes_are_stored_at_once() throws Exception {
    transactions.run(connection -> {});
    write("a");

    assertThat(office.counts().ready()).isEqualTo(1);
  }
}
