package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rule 9: writes and outcomes join the caller's transaction. Nothing here writes beside an open
 * transaction, so that a store with a single writer can keep it.
 */
abstract class TransactionContract extends StoreTestBase {

  TransactionContract(Callable<StoreFixture> source) {
    super(source);
  }

  final OpenTransaction begin() {
    return ((Transactional) store).begin();
  }

  final List<AppendResult> append(
      TestChannel channel, OpenTransaction transaction, MessageDraft... drafts) {
    return store.append(
        channel.definition(), Stream.of(drafts).map(MessageDraft::build).toList(), transaction);
  }

  @Test
  void a_commit_makes_everything_visible_in_order() {
    TestChannel channel = channel();
    TestChannel other = channel();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("a").group("g"), message("b").group("g"));
      append(other, transaction, message("x"));
      append(channel, transaction, message("c").group("g"));
      transaction.commit();
    }

    assertThat(channel.drain()).containsExactly("a", "b", "c");
    assertThat(other.drain()).containsExactly("x");
  }

  @Test
  void what_a_transaction_appends_does_not_overtake_a_head_that_waits() {
    TestChannel channel = channel();
    channel.append(message("a").group("g"));
    channel.settle(channel.lease(), OutcomeSamples.retried(seconds(10)));
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("b").group("g"));
      transaction.commit();
    }

    channel.assertIdle();
    advance(seconds(10));
    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void a_rollback_leaves_nothing_not_even_a_deduplication_record() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k").group("g");
    try (OpenTransaction transaction = begin()) {
      assertThat(append(channel, transaction, draft).get(0).accepted()).isTrue();
    }

    channel.assertIdle();
    assertThat(channel.append(message("b").key("k")).accepted()).as("the key is free").isTrue();
    assertThat(channel.append(message("c").id(draft.id())).accepted())
        .as("the id is free")
        .isTrue();
  }

  @Test
  void a_rollback_brings_back_what_was_collapsed() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("new").collapse("c"));
    }

    assertThat(channel.drain()).containsExactly("old");
  }

  @Test
  void a_commit_collapses() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("new").collapse("c"));
      append(channel, transaction, message("newest").collapse("c"));
      transaction.commit();
    }

    assertThat(channel.drain()).containsExactly("newest");
  }

  /** A named timer that is replaced before the transaction ends. */
  @Test
  void with_a_window_of_zero_a_transaction_can_use_a_key_again() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(Duration.ZERO));
    channel.append(timer("before", 1));
    try (OpenTransaction transaction = begin()) {
      assertThat(append(channel, transaction, timer("first", 2)).get(0).accepted()).isTrue();
      assertThat(append(channel, transaction, timer("second", 3)).get(0).accepted()).isTrue();
      transaction.commit();
    }

    advance(hours(2));
    channel.assertIdle();
    assertThat(store.cancel(channel.definition(), Target.key("k"))).as("the second").isTrue();
    channel.assertNextDue(null);
  }

  @Test
  void a_rollback_brings_back_what_its_key_named() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(Duration.ZERO));
    channel.append(timer("before", 1));
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, timer("first", 2));
      append(channel, transaction, timer("second", 3));
    }

    assertThat(store.cancel(channel.definition(), Target.key("k"))).as("the one before").isTrue();
    channel.assertNextDue(null);
  }

  private static MessageDraft timer(String text, int hours) {
    return message(text).key("k").collapse("k").delay(hours(hours));
  }

  @Test
  void duplicates_are_found_inside_and_outside_of_the_transaction() {
    TestChannel channel = channel();
    AppendResult stored = channel.append(message("stored").key("one"));
    MessageDraft first = message("first").key("two");
    try (OpenTransaction transaction = begin()) {
      assertThat(append(channel, transaction, message("again").key("one")).get(0))
          .isEqualTo(new AppendResult(stored.id(), false, stored.acceptedAt()));
      append(channel, transaction, first);
      AppendResult second = append(channel, transaction, message("second").key("two")).get(0);
      assertThat(second.accepted()).isFalse();
      assertThat(second.id()).isEqualTo(first.id());
      transaction.commit();
    }

    assertThat(channel.drain()).containsExactlyInAnyOrder("stored", "first");
    assertThat(channel.append(message("third").key("two")).accepted()).isFalse();
  }

  @Test
  void what_is_registered_runs_after_the_commit_and_only_then() {
    TestChannel channel = channel();
    List<String> seen = new ArrayList<>();
    try (OpenTransaction transaction = begin()) {
      append(channel, transaction, message("a"));
      transaction.afterCommit(() -> seen.addAll(channel.drain()));
      assertThat(seen).isEmpty();
      transaction.commit();
      assertThat(seen).as("ran once, and saw what was committed").containsExactly("a");
    }
    assertThat(seen).containsExactly("a");
  }

  @Test
  void what_is_registered_does_not_run_after_a_rollback() {
    List<String> seen = new ArrayList<>();
    try (OpenTransaction transaction = begin()) {
      transaction.afterCommit(() -> seen.add("ran"));
    }

    assertThat(seen).isEmpty();
  }

  @Test
  void closing_after_the_commit_undoes_nothing() {
    TestChannel channel = channel();
    OpenTransaction transaction = begin();
    append(channel, transaction, message("a"));
    transaction.commit();
    transaction.close();
    transaction.close();

    assertThat(channel.drain()).containsExactly("a");
  }

  private static List<Settlement> all(Lease lease, Outcome outcome) {
    return lease.messages().stream()
        .map(message -> new Settlement(message.id(), lease.token(), outcome))
        .toList();
  }

  private Set<UUID> settle(
      TestChannel channel, OpenTransaction transaction, Lease lease, Outcome outcome) {
    return ((Transactional) store).settle(channel.definition(), all(lease, outcome), transaction);
  }

  @Test
  void what_is_settled_in_a_transaction_commits_together_with_an_append() {
    TestChannel channel = channel();
    TestChannel other = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    try (OpenTransaction transaction = begin()) {
      append(other, transaction, message("x"));
      assertThat(settle(channel, transaction, lease, OutcomeSamples.completed()))
          .as("lost")
          .isEmpty();
      transaction.commit();
    }

    assertThat(other.drain()).containsExactly("x");
    assertThat(channel.crash()).as("leases left").isZero();
    channel.assertIdle();
  }

  @Test
  void a_rollback_leaves_the_message_leased_and_the_append_gone() {
    TestChannel channel = channel();
    TestChannel other = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    try (OpenTransaction transaction = begin()) {
      append(other, transaction, message("x"));
      settle(channel, transaction, lease, OutcomeSamples.completed());
    }

    other.assertIdle();
    channel.assertIdle();
    assertThat(channel.settle(lease, OutcomeSamples.released())).as("lost").isEmpty();
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_stale_token_settles_nothing_in_a_transaction_and_is_reported_as_lost() {
    TestChannel channel = channel();
    channel.appendAll(message("mine").group("g"), message("theirs").group("h"));
    Lease first = channel.lease();
    channel.settle(first, "theirs", OutcomeSamples.released());
    Lease second = channel.lease();
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(channel, transaction, first, OutcomeSamples.completed()))
          .containsExactly(TestChannel.only(second).id());
      transaction.commit();
    }

    assertThat(channel.settle(second, OutcomeSamples.released()))
        .as("lost by its holder")
        .isEmpty();
    assertThat(channel.drain()).containsExactly("theirs");
  }

  @Test
  void a_reclaimed_lease_is_lost_to_a_transaction() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    channel.crash();
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(channel, transaction, lease, OutcomeSamples.completed()))
          .containsExactly(TestChannel.only(lease).id());
      transaction.commit();
    }

    advance(hours(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void an_expired_lease_that_is_not_reclaimed_still_settles_in_a_transaction() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(hours(1));
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(channel, transaction, lease, OutcomeSamples.completed()))
          .as("lost")
          .isEmpty();
      transaction.commit();
    }

    assertThat(channel.reclaim()).isZero();
    channel.assertIdle();
  }

  @Test
  void a_message_settles_once_in_a_transaction() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    try (OpenTransaction transaction = begin()) {
      settle(channel, transaction, lease, OutcomeSamples.completed());
      assertThat(settle(channel, transaction, lease, OutcomeSamples.completed()))
          .containsExactly(TestChannel.only(lease).id());
      transaction.commit();
    }

    channel.assertIdle();
  }

  @Test
  void a_group_is_free_after_the_commit() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = channel.lease(1);
    try (OpenTransaction transaction = begin()) {
      settle(channel, transaction, lease, OutcomeSamples.completed());
      transaction.commit();
    }

    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void a_group_stays_held_after_a_rollback() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = channel.lease(1);
    try (OpenTransaction transaction = begin()) {
      settle(channel, transaction, lease, OutcomeSamples.completed());
    }

    channel.assertIdle();
    channel.settle(lease, OutcomeSamples.completed());
    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void every_outcome_can_join_a_transaction_and_channels_can_share_it() {
    TestChannel retried = channel();
    TestChannel dead = channel();
    retried.append(message("again").group("g"));
    dead.append(message("never"));
    Lease one = retried.lease();
    Lease other = dead.lease();
    try (OpenTransaction transaction = begin()) {
      settle(retried, transaction, one, OutcomeSamples.retried(seconds(5)));
      settle(dead, transaction, other, OutcomeSamples.dead());
      transaction.commit();
    }

    retried.assertIdle();
    advance(seconds(5));
    assertThat(retried.drain()).containsExactly("again");
    assertThat(dead.dead()).containsExactly("never");
  }
}
