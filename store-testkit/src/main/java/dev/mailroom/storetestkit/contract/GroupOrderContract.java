package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.TestMessages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rules 5 and 6: within a group strictly by sequence, and one worker holds the group. */
abstract class GroupOrderContract extends StoreTestBase {

  GroupOrderContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_group_is_handled_in_the_order_of_its_appends() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.REQUIRED));
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.append(message("c").group("g"));
    channel.appendAll(message("d").group("g"), message("e").group("g"));

    assertThat(labels(channel.lease(2))).containsExactly("a", "b");
    channel.assertIdle();
  }

  @Test
  void a_drained_group_comes_in_order_whatever_the_size_of_the_claims() {
    TestChannel channel = channel();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      channel.append(message("m" + i).group("g"));
      expected.add("m" + i);
    }
    List<String> drained = new ArrayList<>();
    for (int size : List.of(1, 4, 2, 5)) {
      Lease lease = channel.lease(request().perGroup(size));
      drained.addAll(labels(lease));
      channel.settle(lease, OutcomeSamples.completed());
    }

    assertThat(drained).isEqualTo(expected);
  }

  /** Rule 5: what had returned before another append was called goes first, on any node. */
  @Test
  void appends_through_different_nodes_keep_their_order() {
    TestChannel here = channel();
    TestChannel there = here.onAnotherNode();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      (i % 3 == 0 ? here : there).append(message("m" + i).group("g"));
      expected.add("m" + i);
    }

    assertThat(here.drain()).isEqualTo(expected);
  }

  /** Rule 5: never a timestamp. */
  @Test
  void the_callers_received_at_does_not_decide_the_order() {
    TestChannel channel = channel();
    channel.append(message("a").group("g").receivedAt(Instant.parse("2019-03-03T00:00:00Z")));
    channel.append(message("b").group("g").receivedAt(Instant.parse("2019-02-02T00:00:00Z")));
    channel.append(message("c").group("g").receivedAt(Instant.parse("2019-01-01T00:00:00Z")));

    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void sequences_grow_from_append_to_append() {
    TestChannel channel = channel();
    for (int i = 0; i < 5; i++) {
      channel.appendAll(message(i + "a").group("g"), message(i + "b").group("h"));
      advance(millis(1));
    }

    List<Message> drained = channel.drainMessages();

    assertThat(drained).hasSize(10);
    assertThat(drained.stream().map(each -> each.progress().sequence()))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(TestMessages.labels(drained)).isSorted();
  }

  @Test
  void a_group_is_held_as_a_whole() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease head = channel.lease(1);
    channel.append(message("c").group("g"));

    channel.assertIdle();
    channel.onAnotherNode().assertIdle();
    channel.settle(head, OutcomeSamples.completed());
    assertThat(labels(channel.lease())).containsExactly("b", "c");
  }

  @Test
  void a_group_is_held_until_each_of_its_leased_messages_is_settled() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = channel.lease(2);
    channel.settle(lease, "a", OutcomeSamples.completed());

    channel.assertIdle();
    channel.settle(lease, "b", OutcomeSamples.completed());
    assertThat(channel.drain()).containsExactly("c");
  }

  @Test
  void a_failed_head_blocks_its_group_and_keeps_its_position() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"), message("x").group("h"));
    channel.settle(channel.lease(1), OutcomeSamples.retried(minutes(1)));

    assertThat(channel.drain()).as("other groups go on").containsExactly("x");
    channel.assertIdle();
    advance(minutes(1));
    channel.append(message("c").group("g"));
    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  /** An ordered batch that fails at k settles the messages before k; k and all after it wait. */
  @Test
  void what_fails_in_the_middle_and_what_is_behind_it_come_back_in_order() {
    TestChannel channel = channel();
    for (String label : List.of("a", "b", "c", "d", "e")) {
      channel.append(message(label).group("g"));
    }
    Lease lease = channel.lease(4);
    channel.settle(lease, "d", OutcomeSamples.released());
    channel.settle(lease, "c", OutcomeSamples.released());
    channel.settle(lease, "a", OutcomeSamples.completed());
    channel.settle(lease, "b", OutcomeSamples.retried(minutes(1)));

    channel.assertIdle();
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("b", "c", "d", "e");
  }

  @Test
  void released_messages_keep_their_positions() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = channel.lease();
    channel.append(message("c").group("g"));
    store.release(channel.definition(), Set.of(lease.token()));

    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void a_group_continues_when_its_head_is_dead_lettered() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.dead());

    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void groups_do_not_wait_for_each_other() {
    TestChannel channel = channel();
    for (int i = 0; i < 30; i++) {
      channel.append(message("a" + i).group("group " + i));
      channel.append(message("b" + i).group("group " + i));
    }
    Lease held = channel.lease(request().limit(10).perGroup(1));

    Lease rest = channel.lease();

    assertThat(held.messages()).hasSize(10);
    assertThat(rest.messages()).hasSize(40);
  }

  @Test
  void groups_are_exact_and_scoped_by_tenant_and_channel() {
    TestChannel channel = channel();
    channel.append(message("g").group("g"));
    channel.lease();
    channel.appendAll(
        message("upper").group("G"),
        message("blank").group("g "),
        message("tenant").group("g").tenant("t"),
        message("waits").group("g"));
    TestChannel other = channel();
    other.append(message("elsewhere").group("g"));

    assertThat(channel.drain()).containsExactlyInAnyOrder("upper", "blank", "tenant");
    assertThat(other.drain()).containsExactly("elsewhere");
  }

  @Test
  void without_a_group_messages_do_not_wait_for_each_other() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease one = channel.lease(1);
    channel.settle(one, OutcomeSamples.retried(hours(1)));

    assertThat(channel.drain()).hasSize(1);
  }

  @Test
  void an_unordered_channel_ignores_group_keys() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.NONE));
    channel.appendAll(message("a").group("g"), message("b").group("g"));

    Lease one = channel.lease(1);
    Lease two = channel.lease(1);

    assertThat(List.of(labels(one).get(0), labels(two).get(0))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void a_delayed_message_does_not_block_its_group_and_joins_its_tail_when_due() {
    TestChannel channel = channel();
    channel.append(message("delayed").group("g").delay(minutes(1)));
    channel.append(message("a").group("g"));
    channel.append(message("b").group("g"));

    Lease early = channel.lease(1);
    assertThat(labels(early)).containsExactly("a");
    channel.settle(early, OutcomeSamples.completed());
    advance(minutes(1));
    assertThat(labels(channel.lease())).containsExactly("b", "delayed");
  }

  @Test
  void a_delayed_message_that_has_joined_its_group_goes_before_later_ones() {
    TestChannel channel = channel();
    channel.append(message("head").group("g"));
    Lease head = channel.lease();
    channel.append(message("delayed").group("g").delay(minutes(1)));
    advance(minutes(1));
    channel.assertIdle();
    channel.append(message("later").group("g"));
    channel.settle(head, OutcomeSamples.completed());

    assertThat(channel.drain()).containsExactly("delayed", "later");
  }
}
