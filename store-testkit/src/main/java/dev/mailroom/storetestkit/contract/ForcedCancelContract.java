package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A forced cancel or reschedule applies to a leased message too; its worker loses the lease. */
abstract class ForcedCancelContract extends StoreTestBase {

  ForcedCancelContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_leased_message_is_removed_by_force_and_its_workers_outcome_is_lost() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.appendAll(draft, message("b"));
    Lease lease = channel.lease();

    assertThat(cancel(channel, draft)).isTrue();

    assertThat(channel.settle(lease, "a", OutcomeSamples.retried(minutes(1))))
        .containsExactly(draft.id());
    assertThat(channel.settle(lease, "b", OutcomeSamples.completed()))
        .as("its neighbour")
        .isEmpty();
    advance(hours(1));
    channel.assertIdle();
    assertThat(channel.dead()).isEmpty();
    assertThat(channel.crash()).as("leases that were left over").isZero();
  }

  @Test
  void removing_by_force_frees_the_key() {
    TestChannel channel = channel();
    channel.append(message("a").key("k"));
    channel.lease();

    assertThat(store.cancel(channel.definition(), Target.key("k").includingLeased())).isTrue();

    assertThat(channel.append(message("b").key("k")).accepted()).isTrue();
    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void a_lease_whose_last_message_was_removed_is_held_no_longer() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease lease = channel.lease();

    assertThat(cancel(channel, draft)).isTrue();

    assertThat(store.extend(channel.definition(), Set.of(lease.token()), hours(1)))
        .containsExactly(lease.token());
    assertThat(store.release(channel.definition(), Set.of(lease.token()))).isZero();
  }

  @Test
  void a_message_that_is_not_leased_is_cancelled_and_rescheduled_as_usual() {
    TestChannel channel = channel();
    MessageDraft cancelled = message("cancelled");
    MessageDraft moved = message("moved").delay(hours(1));
    channel.appendAll(cancelled, moved);

    assertThat(cancel(channel, cancelled)).isTrue();
    assertThat(move(channel, moved, Duration.ZERO)).isTrue();

    assertThat(channel.drain()).containsExactly("moved");
  }

  @Test
  void what_is_dead_or_gone_is_not_touched_by_force() {
    TestChannel channel = channel();
    MessageDraft dead = message("dead").key("k");
    channel.append(dead);
    channel.settleNext(OutcomeSamples.dead());

    assertThat(cancel(channel, dead)).isFalse();
    assertThat(store.cancel(channel.definition(), Target.key("k").includingLeased())).isFalse();
    assertThat(move(channel, dead, Duration.ZERO)).isFalse();
    assertThat(store.cancel(channel.definition(), Target.id(UUID.randomUUID()).includingLeased()))
        .isFalse();
    assertThat(channel.dead()).containsExactly("dead");
  }

  @Test
  void a_leased_message_is_rescheduled_by_force_and_can_be_leased_again() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease stale = channel.lease();

    assertThat(move(channel, draft, Duration.ZERO)).isTrue();

    Lease fresh = channel.lease();
    assertThat(only(fresh).progress().attempts()).as("the attempt was given back").isEqualTo(1);
    assertThat(channel.settle(stale, OutcomeSamples.completed())).containsExactly(draft.id());
    assertThat(channel.settle(fresh, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void a_leased_message_is_rescheduled_by_force_to_a_later_time() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease stale = channel.lease();

    assertThat(move(channel, draft, minutes(10))).isTrue();

    channel.assertNextDue(minutes(10));
    assertThat(channel.settle(stale, OutcomeSamples.completed())).containsExactly(draft.id());
    advance(minutes(10));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_poison_message_is_rescheduled_by_force_and_still_leased_alone() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    channel.lease();
    channel.crash();
    advance(minutes(1));
    channel.append(message("b"));
    Lease poison =
        channel.leaseAll().stream().filter(l -> labels(l).contains("a")).findFirst().get();

    assertThat(move(channel, draft, Duration.ZERO)).isTrue();

    assertThat(channel.settle(poison, OutcomeSamples.completed())).containsExactly(draft.id());
    Lease again = channel.lease();
    assertThat(labels(again)).containsExactly("a");
    assertThat(only(again).progress().crashes()).isEqualTo(1);
  }

  @Test
  void a_head_removed_by_force_unblocks_its_group() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));
    channel.lease(1);
    channel.assertIdle();

    assertThat(cancel(channel, head)).isTrue();

    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void a_group_waits_for_what_else_is_leased_of_it() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"), message("c").group("g"));
    Lease lease = channel.lease(2);

    assertThat(cancel(channel, head)).isTrue();

    channel.assertIdle();
    assertThat(channel.settle(lease, "b", OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactly("c");
  }

  @Test
  void a_head_rescheduled_by_force_keeps_its_position() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));
    channel.lease(1);

    assertThat(move(channel, head, Duration.ZERO)).isTrue();

    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_rescheduled_by_force_to_a_later_time_unblocks_its_group() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));
    channel.lease(1);

    assertThat(move(channel, head, minutes(1))).isTrue();

    assertThat(channel.drain()).containsExactly("b");
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_commit_cancels_by_force_what_it_does_not_settle() {
    TestChannel channel = channel();
    MessageDraft cause = message("cause");
    MessageDraft leased = message("leased").key("k");
    channel.append(cause);
    Lease own = channel.lease();
    channel.append(leased);
    Lease other = channel.lease();
    Settlement done = new Settlement(cause.id(), own.token(), OutcomeSamples.completed());

    store.commit(
        new Commit(
            List.of(new Commit.Settlements(channel.definition(), List.of(done))),
            List.of(
                new Commit.Appends(
                    channel.definition(), List.of(message("next").key("k").build()))),
            List.of(
                new Commit.Cancel(channel.definition(), Target.id(leased.id()).includingLeased()),
                new Commit.Cancel(channel.definition(), Target.id(cause.id()).includingLeased())),
            null));

    assertThat(channel.settle(other, OutcomeSamples.completed())).containsExactly(leased.id());
    assertThat(channel.drain()).containsExactly("next");
  }

  private boolean cancel(TestChannel channel, MessageDraft draft) {
    return store.cancel(channel.definition(), Target.id(draft.id()).includingLeased());
  }

  private boolean move(TestChannel channel, MessageDraft draft, Duration delay) {
    Target target = Target.id(draft.id()).includingLeased();
    return store.reschedule(channel.definition(), target, Due.after(delay));
  }
}
