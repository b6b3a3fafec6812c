package dev.mailroom.testkit.contract;

import static dev.mailroom.testkit.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.testkit.MessageDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rule 9: writes join the caller's transaction. Nothing here writes beside an open transaction, so
 * that a store with a single writer can keep it.
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
}
