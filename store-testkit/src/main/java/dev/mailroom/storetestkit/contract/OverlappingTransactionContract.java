package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * Rules 5 and 9: an open transaction is invisible to others and blocks no append or claim. For
 * transactional stores with more than one writer at a time.
 */
abstract class OverlappingTransactionContract extends StoreTestBase {
  /** No test waits longer than this; none comes near it unless it waits for the transaction. */
  private static final Duration PATIENCE = seconds(30);

  OverlappingTransactionContract(Callable<StoreFixture> source) {
    super(source);
  }

  private OpenTransaction begin() {
    return ((Transactional) store).begin();
  }

  private void append(TestChannel channel, OpenTransaction transaction, MessageDraft draft) {
    store.append(channel.definition(), List.of(draft.build()), transaction);
  }

  @Test
  void what_is_not_committed_is_not_visible() {
    TestChannel channel = channel();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("a"));

      assertTimeoutPreemptively(PATIENCE, () -> channel.onAnotherNode().assertIdle());
      transaction.commit();
    }
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void an_append_does_not_wait_for_an_open_transaction() {
    TestChannel channel = channel();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("open").group("g").key("one"));

      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            channel.onAnotherNode().append(message("beside").group("g").key("two"));
            assertThat(channel.onAnotherNode().drain()).containsExactly("beside");
          });
      transaction.commit();
    }
    assertThat(channel.drain()).containsExactly("open");
  }

  /** A commit that comes late, behind messages that are already done, is not overlooked. */
  @Test
  void a_late_commit_is_not_lost() {
    TestChannel channel = channel();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("late"));
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            for (int i = 0; i < 20; i++) {
              channel.onAnotherNode().append(message("early" + i));
              assertThat(channel.onAnotherNode().drain()).containsExactly("early" + i);
            }
          });
      transaction.commit();
    }
    assertThat(channel.drain()).containsExactly("late");
  }

  @Test
  void a_transaction_that_rolls_back_late_leaves_its_group_in_order() {
    TestChannel channel = channel();
    channel.append(message("a").group("g"));
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("never").group("g"));
      assertTimeoutPreemptively(
          PATIENCE, () -> channel.onAnotherNode().append(message("b").group("g")));
    }
    channel.append(message("c").group("g"));

    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void what_is_appended_after_a_commit_goes_behind_it() {
    TestChannel channel = channel();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("a").group("g"));
      assertTimeoutPreemptively(
          PATIENCE, () -> channel.onAnotherNode().append(message("b").group("g")));
      transaction.commit();
    }
    channel.append(message("c").group("g"));

    assertThat(channel.drain()).containsExactlyInAnyOrder("a", "b", "c").endsWith("c");
  }

  /** The one thing that an append may wait for. */
  @Test
  void a_key_in_an_open_transaction_is_a_duplicate_once_that_commits() throws Exception {
    TestChannel channel = channel();
    OpenTransaction transaction = begin();
    append(channel, transaction, message("first").key("k"));

    List<Boolean> results =
        ConcurrentTasks.run(
            List.of(
                () -> channel.onAnotherNode().append(message("second").key("k")).accepted(),
                () -> {
                  transaction.commit();
                  transaction.close();
                  return true;
                }));

    assertThat(results.get(0)).as("second accepted").isFalse();
    assertThat(channel.drain()).containsExactly("first");
  }

  @Test
  void a_key_in_an_open_transaction_is_free_once_that_rolls_back() throws Exception {
    TestChannel channel = channel();
    OpenTransaction transaction = begin();
    append(channel, transaction, message("first").key("k"));

    List<Boolean> results =
        ConcurrentTasks.run(
            List.of(
                () -> channel.onAnotherNode().append(message("second").key("k")).accepted(),
                () -> {
                  transaction.close();
                  return true;
                }));

    assertThat(results.get(0)).as("second accepted").isTrue();
    assertThat(channel.drain()).containsExactly("second");
  }

  /** Whether it waits for the other or not: it becomes one message in the end. */
  @Test
  void an_id_written_for_later_and_for_now_at_once_is_handled_once() throws Exception {
    TestChannel channel = channel();
    MessageDraft twin = message("twin");
    OpenTransaction transaction = begin();
    append(channel, transaction, message("twin").id(twin.id()).delay(minutes(1)));
    ConcurrentTasks.run(
        List.of(
            () -> channel.onAnotherNode().append(twin).accepted(),
            () -> {
              transaction.commit();
              transaction.close();
              return true;
            }));
    channel.append(message("other").delay(minutes(1)));
    advance(minutes(2));

    assertThat(channel.drain()).containsExactlyInAnyOrder("twin", "other");
    channel.assertIdle();
  }
}
