package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Request.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.Messages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rules 5 and 6: within a group strictly by sequence, and one worker holds the group. */
abstract class OrderContract extends Topic {

  OrderContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_group_is_handled_in_the_order_of_its_appends() {
    Line line = line(channel().ordering(Ordering.REQUIRED));
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.append(message("c").group("g"));
    line.appendAll(message("d").group("g"), message("e").group("g"));

    assertThat(labels(line.lease(2))).containsExactly("a", "b");
    line.assertIdle();
  }

  @Test
  void a_drained_group_comes_in_order_whatever_the_size_of_the_claims() {
    Line line = line();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      line.append(message("m" + i).group("g"));
      expected.add("m" + i);
    }
    List<String> drained = new ArrayList<>();
    for (int size : List.of(1, 4, 2, 5)) {
      Lease lease = line.lease(request().perGroup(size));
      drained.addAll(labels(lease));
      line.settle(lease, Verdict.completed());
    }

    assertThat(drained).isEqualTo(expected);
  }

  /** Rule 5: what had returned before another append was called goes first, on any node. */
  @Test
  void appends_through_different_nodes_keep_their_order() {
    Line here = line();
    Line there = here.elsewhere();
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
    Line line = line();
    line.append(message("a").group("g").receivedAt(Instant.parse("2019-03-03T00:00:00Z")));
    line.append(message("b").group("g").receivedAt(Instant.parse("2019-02-02T00:00:00Z")));
    line.append(message("c").group("g").receivedAt(Instant.parse("2019-01-01T00:00:00Z")));

    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void sequences_grow_from_append_to_append() {
    Line line = line();
    for (int i = 0; i < 5; i++) {
      line.appendAll(message(i + "a").group("g"), message(i + "b").group("h"));
      advance(millis(1));
    }

    List<Message> drained = line.drainMessages();

    assertThat(drained).hasSize(10);
    assertThat(drained.stream().map(each -> each.progress().sequence()))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(Messages.labels(drained)).isSorted();
  }

  @Test
  void a_group_is_held_as_a_whole() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease head = line.lease(1);
    line.append(message("c").group("g"));

    line.assertIdle();
    line.elsewhere().assertIdle();
    line.settle(head, Verdict.completed());
    assertThat(labels(line.lease())).containsExactly("b", "c");
  }

  @Test
  void a_group_is_held_until_each_of_its_leased_messages_is_settled() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = line.lease(2);
    line.settle(lease, "a", Verdict.completed());

    line.assertIdle();
    line.settle(lease, "b", Verdict.completed());
    assertThat(line.drain()).containsExactly("c");
  }

  @Test
  void a_failed_head_blocks_its_group_and_keeps_its_place() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"), message("x").group("h"));
    line.settle(line.lease(1), Verdict.retried(minutes(1)));

    assertThat(line.drain()).as("other groups go on").containsExactly("x");
    line.assertIdle();
    advance(minutes(1));
    line.append(message("c").group("g"));
    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  /** An ordered batch that fails at k settles those before k; k and all after it wait. */
  @Test
  void what_fails_in_the_middle_and_what_is_behind_it_come_back_in_order() {
    Line line = line();
    for (String label : List.of("a", "b", "c", "d", "e")) {
      line.append(message(label).group("g"));
    }
    Lease lease = line.lease(4);
    line.settle(lease, "d", Verdict.released());
    line.settle(lease, "c", Verdict.released());
    line.settle(lease, "a", Verdict.completed());
    line.settle(lease, "b", Verdict.retried(minutes(1)));

    line.assertIdle();
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("b", "c", "d", "e");
  }

  @Test
  void released_messages_take_their_old_places() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = line.lease();
    line.append(message("c").group("g"));
    store.release(line.channel(), Set.of(lease.token()));

    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void a_group_goes_on_when_its_head_has_died() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.settle(line.lease(1), Verdict.dead());

    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void groups_do_not_wait_for_each_other() {
    Line line = line();
    for (int i = 0; i < 30; i++) {
      line.append(message("a" + i).group("group " + i));
      line.append(message("b" + i).group("group " + i));
    }
    Lease held = line.lease(request().limit(10).perGroup(1));

    Lease rest = line.lease();

    assertThat(held.messages()).hasSize(10);
    assertThat(rest.messages()).hasSize(40);
  }

  @Test
  void groups_are_exact_and_scoped_by_tenant_and_channel() {
    Line line = line();
    line.append(message("g").group("g"));
    line.lease();
    line.appendAll(
        message("upper").group("G"),
        message("blank").group("g "),
        message("tenant").group("g").tenant("t"),
        message("waits").group("g"));
    Line other = line();
    other.append(message("elsewhere").group("g"));

    assertThat(line.drain()).containsExactlyInAnyOrder("upper", "blank", "tenant");
    assertThat(other.drain()).containsExactly("elsewhere");
  }

  @Test
  void without_a_group_messages_do_not_wait_for_each_other() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    Lease one = line.lease(1);
    line.settle(one, Verdict.retried(hours(1)));

    assertThat(line.drain()).hasSize(1);
  }

  @Test
  void an_unordered_channel_ignores_group_keys() {
    Line line = line(channel().ordering(Ordering.NONE));
    line.appendAll(message("a").group("g"), message("b").group("g"));

    Lease one = line.lease(1);
    Lease two = line.lease(1);

    assertThat(List.of(labels(one).get(0), labels(two).get(0))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void a_delayed_message_does_not_block_its_group_and_joins_its_tail_when_due() {
    Line line = line();
    line.append(message("delayed").group("g").delay(minutes(1)));
    line.append(message("a").group("g"));
    line.append(message("b").group("g"));

    Lease early = line.lease(1);
    assertThat(labels(early)).containsExactly("a");
    line.settle(early, Verdict.completed());
    advance(minutes(1));
    assertThat(labels(line.lease())).containsExactly("b", "delayed");
  }

  @Test
  void a_delayed_message_that_has_joined_its_group_goes_before_later_ones() {
    Line line = line();
    line.append(message("head").group("g"));
    Lease head = line.lease();
    line.append(message("delayed").group("g").delay(minutes(1)));
    advance(minutes(1));
    line.assertIdle();
    line.append(message("later").group("g"));
    line.settle(head, Verdict.completed());

    assertThat(line.drain()).containsExactly("delayed", "later");
  }
}
