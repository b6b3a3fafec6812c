package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
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
 * Rules 5 and 9: an open transaction is invisible to others and holds nobody up. For every
 * transactional store but those with a single writer.
 */
abstract class OverlapContract extends Topic {
  /** No test waits longer than this; none comes near it unless it waits for the transaction. */
  private static final Duration PATIENCE = seconds(30);

  OverlapContract(Callable<StoreFixture> source) {
    super(source);
  }

  private OpenTransaction begin() {
    return ((Transactional) store).begin();
  }

  private void append(Line line, OpenTransaction transaction, MessageDraft draft) {
    store.append(line.channel(), List.of(draft.build()), transaction);
  }

  @Test
  void what_is_not_committed_is_not_visible() {
    Line line = line();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("a"));

      assertTimeoutPreemptively(PATIENCE, () -> line.elsewhere().assertIdle());
      transaction.commit();
    }
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void an_append_does_not_wait_for_an_open_transaction() {
    Line line = line();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("open").group("g").key("one"));

      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            line.elsewhere().append(message("beside").group("g").key("two"));
            assertThat(line.elsewhere().drain()).containsExactly("beside");
          });
      transaction.commit();
    }
    assertThat(line.drain()).containsExactly("open");
  }

  /** A commit that comes late, behind messages that are already done, is not overlooked. */
  @Test
  void a_late_commit_is_not_lost() {
    Line line = line();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("late"));
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            for (int i = 0; i < 20; i++) {
              line.elsewhere().append(message("early" + i));
              assertThat(line.elsewhere().drain()).containsExactly("early" + i);
            }
          });
      transaction.commit();
    }
    assertThat(line.drain()).containsExactly("late");
  }

  @Test
  void a_transaction_that_rolls_back_late_leaves_its_group_in_order() {
    Line line = line();
    line.append(message("a").group("g"));
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("never").group("g"));
      assertTimeoutPreemptively(PATIENCE, () -> line.elsewhere().append(message("b").group("g")));
    }
    line.append(message("c").group("g"));

    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void what_is_appended_after_a_commit_goes_behind_it() {
    Line line = line();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("a").group("g"));
      assertTimeoutPreemptively(PATIENCE, () -> line.elsewhere().append(message("b").group("g")));
      transaction.commit();
    }
    line.append(message("c").group("g"));

    assertThat(line.drain()).containsExactlyInAnyOrder("a", "b", "c").endsWith("c");
  }

  /** The one thing that an append may wait for. */
  @Test
  void a_key_in_an_open_transaction_is_a_duplicate_once_that_commits() throws Exception {
    Line line = line();
    OpenTransaction transaction = begin();
    append(line, transaction, message("first").key("k"));

    List<Boolean> results =
        Together.run(
            List.of(
                () -> line.elsewhere().append(message("second").key("k")).accepted(),
                () -> {
                  transaction.commit();
                  transaction.close();
                  return true;
                }));

    assertThat(results.get(0)).as("second accepted").isFalse();
    assertThat(line.drain()).containsExactly("first");
  }

  @Test
  void a_key_in_an_open_transaction_is_free_once_that_rolls_back() throws Exception {
    Line line = line();
    OpenTransaction transaction = begin();
    append(line, transaction, message("first").key("k"));

    List<Boolean> results =
        Together.run(
            List.of(
                () -> line.elsewhere().append(message("second").key("k")).accepted(),
                () -> {
                  transaction.close();
                  return true;
                }));

    assertThat(results.get(0)).as("second accepted").isTrue();
    assertThat(line.drain()).containsExactly("second");
  }

  /** Whether it waits for the other or not: it becomes one message in the end. */
  @Test
  void an_id_written_for_later_and_for_now_at_once_is_handled_once() throws Exception {
    Line line = line();
    MessageDraft twin = message("twin");
    OpenTransaction transaction = begin();
    append(line, transaction, message("twin").id(twin.id()).delay(minutes(1)));
    Together.run(
        List.of(
            () -> line.elsewhere().append(twin).accepted(),
            () -> {
              transaction.commit();
              transaction.close();
              return true;
            }));
    line.append(message("other").delay(minutes(1)));
    advance(minutes(2));

    assertThat(line.drain()).containsExactlyInAnyOrder("twin", "other");
    line.assertIdle();
  }
}
