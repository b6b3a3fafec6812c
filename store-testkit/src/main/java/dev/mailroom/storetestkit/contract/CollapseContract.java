package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 4: a newer message replaces older ones with its collapse key that nobody has leased. */
abstract class CollapseContract extends Topic {

  CollapseContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_newer_message_replaces_an_older_one() {
    Line line = line();
    line.append(message("old").collapse("c"));

    AppendResult newer = line.append(message("new").collapse("c"));

    assertThat(newer.accepted()).isTrue();
    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void a_scheduled_message_is_replaced_too() {
    Line line = line();
    line.append(message("old").collapse("c").delay(minutes(1)));
    line.append(message("new").collapse("c").delay(minutes(2)));
    advance(minutes(3));

    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void the_last_of_a_batch_wins() {
    Line line = line();

    List<AppendResult> results =
        line.appendAll(
            message("one").collapse("c"), message("two"), message("three").collapse("c"));

    assertThat(results).extracting(AppendResult::accepted).containsOnly(true);
    assertThat(line.drain()).containsExactlyInAnyOrder("two", "three");
  }

  @Test
  void a_repeated_batch_does_not_remove_what_it_finds_stored() {
    Line line = line();
    MessageDraft older = message("older").id(new UUID(1, 1)).collapse("c");
    MessageDraft newer = message("newer").id(new UUID(1, 2)).collapse("c");
    line.appendAll(older, newer);

    List<AppendResult> again = line.appendAll(older, newer);

    assertThat(again.get(1).accepted()).as("the newer one is stored").isFalse();
    assertThat(line.drain()).contains("newer");
  }

  @Test
  void a_leased_message_goes_on() {
    Line line = line();
    line.append(message("old").collapse("c"));
    Lease lease = line.lease();
    line.append(message("new").collapse("c"));

    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void a_message_that_waits_for_its_retry_is_replaced() {
    Line line = line();
    line.append(message("old").collapse("c"));
    line.settleNext(Verdict.retried(minutes(1)));
    line.append(message("new").collapse("c"));
    advance(minutes(2));

    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void every_older_message_is_replaced() {
    Line line = line();
    line.append(message("old").collapse("c"));
    Lease lease = line.lease();
    line.append(message("newer").collapse("c"));
    line.settle(lease, Verdict.released());
    line.append(message("newest").collapse("c"));

    assertThat(line.drain()).containsExactly("newest");
  }

  @Test
  void a_duplicate_collapses_nothing() {
    Line line = line();
    MessageDraft first = message("first").key("k").collapse("c");
    line.append(first);
    line.append(message("second").key("k").collapse("c"));
    line.append(message("third").id(first.id()).collapse("c"));

    assertThat(line.drain()).containsExactly("first");
  }

  /** Collapse and deduplication of the same message never delete both. */
  @Test
  void a_replaced_message_that_is_written_again_does_not_replace_its_successor() {
    Line line = line();
    MessageDraft old = message("old").key("old").collapse("c");
    line.append(old);
    line.append(message("new").key("new").collapse("c"));

    AppendResult again = line.append(message("old again").key("old").collapse("c"));

    assertThat(again.accepted()).isFalse();
    assertThat(again.id()).isEqualTo(old.id());
    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void a_dead_letter_stays() {
    Line line = line();
    line.append(message("old").collapse("c"));
    line.settleNext(Verdict.dead());
    line.append(message("new").collapse("c"));

    assertThat(line.dead()).containsExactly("old");
    assertThat(line.drain()).containsExactly("new");
  }

  @Test
  void collapse_keys_are_exact_and_scoped_by_tenant_and_channel() {
    Line line = line();
    line.appendAll(
        message("c").collapse("c"),
        message("C").collapse("C"),
        message("c ").collapse("c "),
        message("tenant").tenant("t").collapse("c"),
        message("none"));
    line().append(message("elsewhere").collapse("c"));

    assertThat(line.drain()).containsExactlyInAnyOrder("c", "C", "c ", "tenant", "none");
  }

  @Test
  void a_group_goes_on_when_its_head_is_replaced() {
    Line line = line();
    line.appendAll(message("a").group("g").collapse("c"), message("b").group("g"));
    Lease head = line.lease(1);
    line.settle(head, Verdict.retried(hours(1)));
    line.append(message("c").group("g").collapse("c"));

    assertThat(labels(head)).containsExactly("a");
    assertThat(labels(line.lease())).containsExactly("b", "c");
  }
}
