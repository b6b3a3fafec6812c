package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 9: wake-ups fire after the transaction's commit, and only then. */
abstract class TransactionWakeUpContract extends StoreTestBase {

  TransactionWakeUpContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void append(TestChannel channel, OpenTransaction transaction) {
    store.append(channel.definition(), List.of(message("a").build()), transaction);
  }

  @Test
  void a_wake_up_is_sent_at_the_commit_and_not_before() throws Exception {
    TestChannel channel = channel();
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(store);
        OpenTransaction transaction = ((Transactional) store).begin()) {
      append(channel, transaction);
      assertThat(wakeUps.wasWokenFor(channel)).as("woken before the commit").isFalse();
      transaction.commit();

      wakeUps.await(channel);
    }
  }

  @Test
  void a_rollback_sends_no_wake_up() throws Exception {
    TestChannel rolledBack = channel();
    TestChannel committed = channel();
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(store)) {
      try (OpenTransaction transaction = ((Transactional) store).begin()) {
        append(rolledBack, transaction);
      }
      committed.append(message("b"));
      wakeUps.await(committed);

      assertThat(wakeUps.wasWokenFor(rolledBack)).isFalse();
    }
  }
}
