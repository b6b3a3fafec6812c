package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
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
abstract class TransactionContract extends Topic {

  TransactionContract(Callable<StoreFixture> source) {
    super(source);
  }

  final OpenTransaction begin() {
    return ((Transactional) store).begin();
  }

  final List<AppendResult> append(Line line, OpenTransaction transaction, MessageDraft... drafts) {
    return store.append(
        line.channel(), Stream.of(drafts).map(MessageDraft::build).toList(), transaction);
  }

  @Test
  void a_commit_makes_everything_visible_in_order() {
    Line line = line();
    Line other = line();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("a").group("g"), message("b").group("g"));
      append(other, transaction, message("x"));
      append(line, transaction, message("c").group("g"));
      transaction.commit();
    }

    assertThat(line.drain()).containsExactly("a", "b", "c");
    assertThat(other.drain()).containsExactly("x");
  }

  @Test
  void what_a_transaction_appends_does_not_overtake_a_head_that_waits() {
    Line line = line();
    line.append(message("a").group("g"));
    line.settle(line.lease(), Verdict.retried(seconds(10)));
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("b").group("g"));
      transaction.commit();
    }

    line.assertIdle();
    advance(seconds(10));
    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void a_rollback_leaves_nothing_not_even_a_deduplication_record() {
    Line line = line();
    MessageDraft draft = message("a").key("k").group("g");
    try (OpenTransaction transaction = begin()) {
      assertThat(append(line, transaction, draft).get(0).accepted()).isTrue();
    }

    line.assertIdle();
    assertThat(line.append(message("b").key("k")).accepted()).as("the key is free").isTrue();
    assertThat(line.append(message("c").id(draft.id())).accepted()).as("the id is free").isTrue();
  }

  @Test
  void a_rollback_brings_back_what_was_collapsed() {
    Line line = line();
    line.append(message("old").collapse("c"));
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("new").collapse("c"));
    }

    assertThat(line.drain()).containsExactly("old");
  }

  @Test
  void a_commit_collapses() {
    Line line = line();
    line.append(message("old").collapse("c"));
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("new").collapse("c"));
      append(line, transaction, message("newest").collapse("c"));
      transaction.commit();
    }

    assertThat(line.drain()).containsExactly("newest");
  }

  /** A timer that has a name, and is set anew before the transaction ends. */
  @Test
  void with_a_window_of_zero_a_transaction_can_use_a_key_again() {
    Line line = line(channel().deduplicationWindow(Duration.ZERO));
    line.append(timer("before", 1));
    try (OpenTransaction transaction = begin()) {
      assertThat(append(line, transaction, timer("first", 2)).get(0).accepted()).isTrue();
      assertThat(append(line, transaction, timer("second", 3)).get(0).accepted()).isTrue();
      transaction.commit();
    }

    advance(hours(2));
    line.assertIdle();
    assertThat(store.cancel(line.channel(), Target.key("k"))).as("the second").isTrue();
    line.assertNextDue(null);
  }

  @Test
  void a_rollback_brings_back_what_its_key_named() {
    Line line = line(channel().deduplicationWindow(Duration.ZERO));
    line.append(timer("before", 1));
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, timer("first", 2));
      append(line, transaction, timer("second", 3));
    }

    assertThat(store.cancel(line.channel(), Target.key("k"))).as("the one before").isTrue();
    line.assertNextDue(null);
  }

  private static MessageDraft timer(String text, int hours) {
    return message(text).key("k").collapse("k").delay(hours(hours));
  }

  @Test
  void duplicates_are_found_inside_and_outside_of_the_transaction() {
    Line line = line();
    AppendResult stored = line.append(message("stored").key("one"));
    MessageDraft first = message("first").key("two");
    try (OpenTransaction transaction = begin()) {
      assertThat(append(line, transaction, message("again").key("one")).get(0))
          .isEqualTo(new AppendResult(stored.id(), false, stored.acceptedAt()));
      append(line, transaction, first);
      AppendResult second = append(line, transaction, message("second").key("two")).get(0);
      assertThat(second.accepted()).isFalse();
      assertThat(second.id()).isEqualTo(first.id());
      transaction.commit();
    }

    assertThat(line.drain()).containsExactlyInAnyOrder("stored", "first");
    assertThat(line.append(message("third").key("two")).accepted()).isFalse();
  }

  @Test
  void what_is_registered_runs_after_the_commit_and_only_then() {
    Line line = line();
    List<String> seen = new ArrayList<>();
    try (OpenTransaction transaction = begin()) {
      append(line, transaction, message("a"));
      transaction.afterCommit(() -> seen.addAll(line.drain()));
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
    Line line = line();
    OpenTransaction transaction = begin();
    append(line, transaction, message("a"));
    transaction.commit();
    transaction.close();
    transaction.close();

    assertThat(line.drain()).containsExactly("a");
  }

  private static List<Settlement> all(Lease lease, Outcome outcome) {
    return lease.messages().stream()
        .map(message -> new Settlement(message.id(), lease.token(), outcome))
        .toList();
  }

  private Set<UUID> settle(Line line, OpenTransaction transaction, Lease lease, Outcome outcome) {
    return ((Transactional) store).settle(line.channel(), all(lease, outcome), transaction);
  }

  @Test
  void what_is_settled_in_a_transaction_commits_together_with_an_append() {
    Line line = line();
    Line other = line();
    line.append(message("a"));
    Lease lease = line.lease();
    try (OpenTransaction transaction = begin()) {
      append(other, transaction, message("x"));
      assertThat(settle(line, transaction, lease, Verdict.completed())).as("lost").isEmpty();
      transaction.commit();
    }

    assertThat(other.drain()).containsExactly("x");
    assertThat(line.crash()).as("leases left").isZero();
    line.assertIdle();
  }

  @Test
  void a_rollback_leaves_the_message_leased_and_the_append_gone() {
    Line line = line();
    Line other = line();
    line.append(message("a"));
    Lease lease = line.lease();
    try (OpenTransaction transaction = begin()) {
      append(other, transaction, message("x"));
      settle(line, transaction, lease, Verdict.completed());
    }

    other.assertIdle();
    line.assertIdle();
    assertThat(line.settle(lease, Verdict.released())).as("lost").isEmpty();
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_stale_token_settles_nothing_in_a_transaction_and_is_reported_as_lost() {
    Line line = line();
    line.appendAll(message("mine").group("g"), message("theirs").group("h"));
    Lease first = line.lease();
    line.settle(first, "theirs", Verdict.released());
    Lease second = line.lease();
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(line, transaction, first, Verdict.completed()))
          .containsExactly(Line.only(second).id());
      transaction.commit();
    }

    assertThat(line.settle(second, Verdict.released())).as("lost by its holder").isEmpty();
    assertThat(line.drain()).containsExactly("theirs");
  }

  @Test
  void a_reclaimed_lease_is_lost_to_a_transaction() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    line.crash();
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(line, transaction, lease, Verdict.completed()))
          .containsExactly(Line.only(lease).id());
      transaction.commit();
    }

    advance(hours(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void an_expired_lease_that_nobody_has_reclaimed_still_settles_in_a_transaction() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(hours(1));
    try (OpenTransaction transaction = begin()) {
      assertThat(settle(line, transaction, lease, Verdict.completed())).as("lost").isEmpty();
      transaction.commit();
    }

    assertThat(line.reclaim()).isZero();
    line.assertIdle();
  }

  @Test
  void a_message_settles_once_in_a_transaction() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    try (OpenTransaction transaction = begin()) {
      settle(line, transaction, lease, Verdict.completed());
      assertThat(settle(line, transaction, lease, Verdict.completed()))
          .containsExactly(Line.only(lease).id());
      transaction.commit();
    }

    line.assertIdle();
  }

  @Test
  void a_group_is_free_after_the_commit() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = line.lease(1);
    try (OpenTransaction transaction = begin()) {
      settle(line, transaction, lease, Verdict.completed());
      transaction.commit();
    }

    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void a_group_stays_held_after_a_rollback() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = line.lease(1);
    try (OpenTransaction transaction = begin()) {
      settle(line, transaction, lease, Verdict.completed());
    }

    line.assertIdle();
    line.settle(lease, Verdict.completed());
    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void every_outcome_can_join_a_transaction_and_channels_can_share_it() {
    Line retried = line();
    Line dead = line();
    retried.append(message("again").group("g"));
    dead.append(message("never"));
    Lease one = retried.lease();
    Lease other = dead.lease();
    try (OpenTransaction transaction = begin()) {
      settle(retried, transaction, one, Verdict.retried(seconds(5)));
      settle(dead, transaction, other, Verdict.dead());
      transaction.commit();
    }

    retried.assertIdle();
    advance(seconds(5));
    assertThat(retried.drain()).containsExactly("again");
    assertThat(dead.dead()).containsExactly("never");
  }
}
