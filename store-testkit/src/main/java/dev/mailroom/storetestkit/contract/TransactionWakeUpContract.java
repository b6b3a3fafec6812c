package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 9: wake-ups fire after the transaction's commit, and only then. */
abstract class TransactionWakeUpContract extends Topic {

  TransactionWakeUpContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void append(Line line, OpenTransaction transaction) {
    store.append(line.channel(), List.of(message("a").build()), transaction);
  }

  @Test
  void a_commit_wakes_and_not_before() throws Exception {
    Line line = line();
    try (Heard heard = new Heard(store);
        OpenTransaction transaction = ((Transactional) store).begin()) {
      append(line, transaction);
      assertThat(heard.heard(line)).as("heard before the commit").isFalse();
      transaction.commit();

      heard.await(line);
    }
  }

  @Test
  void a_rollback_wakes_nobody() throws Exception {
    Line rolledBack = line();
    Line committed = line();
    try (Heard heard = new Heard(store)) {
      try (OpenTransaction transaction = ((Transactional) store).begin()) {
        append(rolledBack, transaction);
      }
      committed.append(message("b"));
      heard.await(committed);

      assertThat(heard.heard(rolledBack)).isFalse();
    }
  }
}
