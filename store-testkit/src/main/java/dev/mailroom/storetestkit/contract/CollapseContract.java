package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 4: a newer message replaces older ones with its collapse key that are not leased. */
abstract class CollapseContract extends StoreTestBase {

  CollapseContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_newer_message_replaces_an_older_one() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));

    AppendResult newer = channel.append(message("new").collapse("c"));

    assertThat(newer.accepted()).isTrue();
    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void a_scheduled_message_is_replaced_too() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c").delay(minutes(1)));
    channel.append(message("new").collapse("c").delay(minutes(2)));
    advance(minutes(3));

    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void the_last_of_a_batch_wins() {
    TestChannel channel = channel();

    List<AppendResult> results =
        channel.appendAll(
            message("one").collapse("c"), message("two"), message("three").collapse("c"));

    assertThat(results).extracting(AppendResult::accepted).containsOnly(true);
    assertThat(channel.drain()).containsExactlyInAnyOrder("two", "three");
  }

  @Test
  void a_repeated_batch_does_not_remove_what_it_finds_stored() {
    TestChannel channel = channel();
    MessageDraft older = message("older").id(new UUID(1, 1)).collapse("c");
    MessageDraft newer = message("newer").id(new UUID(1, 2)).collapse("c");
    channel.appendAll(older, newer);

    List<AppendResult> again = channel.appendAll(older, newer);

    assertThat(again.get(1).accepted()).as("the newer one is stored").isFalse();
    assertThat(channel.drain()).contains("newer");
  }

  @Test
  void a_leased_message_goes_on() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    Lease lease = channel.lease();
    channel.append(message("new").collapse("c"));

    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void a_message_that_waits_for_its_retry_is_replaced() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    channel.settleNext(OutcomeSamples.retried(minutes(1)));
    channel.append(message("new").collapse("c"));
    advance(minutes(2));

    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void every_older_message_is_replaced() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    Lease lease = channel.lease();
    channel.append(message("newer").collapse("c"));
    channel.settle(lease, OutcomeSamples.released());
    channel.append(message("newest").collapse("c"));

    assertThat(channel.drain()).containsExactly("newest");
  }

  @Test
  void a_duplicate_collapses_nothing() {
    TestChannel channel = channel();
    MessageDraft first = message("first").key("k").collapse("c");
    channel.append(first);
    channel.append(message("second").key("k").collapse("c"));
    channel.append(message("third").id(first.id()).collapse("c"));

    assertThat(channel.drain()).containsExactly("first");
  }

  /** Collapse and deduplication of the same message never delete both. */
  @Test
  void a_replaced_message_that_is_written_again_does_not_replace_its_successor() {
    TestChannel channel = channel();
    MessageDraft old = message("old").key("old").collapse("c");
    channel.append(old);
    channel.append(message("new").key("new").collapse("c"));

    AppendResult again = channel.append(message("old again").key("old").collapse("c"));

    assertThat(again.accepted()).isFalse();
    assertThat(again.id()).isEqualTo(old.id());
    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void a_dead_letter_stays() {
    TestChannel channel = channel();
    channel.append(message("old").collapse("c"));
    channel.settleNext(OutcomeSamples.dead());
    channel.append(message("new").collapse("c"));

    assertThat(channel.dead()).containsExactly("old");
    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void collapse_keys_are_exact_and_scoped_by_tenant_and_channel() {
    TestChannel channel = channel();
    channel.appendAll(
        message("c").collapse("c"),
        message("C").collapse("C"),
        message("c ").collapse("c "),
        message("tenant").tenant("t").collapse("c"),
        message("none"));
    channel().append(message("elsewhere").collapse("c"));

    assertThat(channel.drain()).containsExactlyInAnyOrder("c", "C", "c ", "tenant", "none");
  }

  @Test
  void a_group_goes_on_when_its_head_is_replaced() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g").collapse("c"), message("b").group("g"));
    Lease head = channel.lease(1);
    channel.settle(head, OutcomeSamples.retried(hours(1)));
    channel.append(message("c").group("g").collapse("c"));

    assertThat(labels(head)).containsExactly("a");
    assertThat(labels(channel.lease())).containsExactly("b", "c");
  }
}
