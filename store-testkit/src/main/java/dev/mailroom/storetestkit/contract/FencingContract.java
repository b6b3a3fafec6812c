package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.ClaimRequest.atMost;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 2: the token is the fence. A stale one changes nothing and is reported as lost. */
abstract class FencingContract extends StoreTestBase {

  FencingContract(Callable<StoreFixture> source) {
    super(source);
  }

  private static List<Outcome> outcomes() {
    return List.of(
        OutcomeSamples.completed(),
        OutcomeSamples.retried(hours(1)),
        OutcomeSamples.deferred(hours(1)),
        OutcomeSamples.released(),
        OutcomeSamples.dead(),
        OutcomeSamples.discarded());
  }

  @Test
  void a_stale_token_settles_nothing_and_is_reported_as_lost() {
    assertThat(outcomes()).allSatisfy(this::assertFenced);
  }

  private void assertFenced(Outcome outcome) {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease stale = channel.lease();
    channel.crash();
    advance(minutes(2));
    Lease fresh = channel.lease();

    assertThat(channel.settle(stale, outcome)).containsExactly(draft.id());

    channel.assertIdle();
    assertThat(channel.dead()).isEmpty();
    assertThat(channel.settle(fresh, OutcomeSamples.completed()))
        .as("the new holder's lease")
        .isEmpty();
  }

  @Test
  void a_lease_is_lost_as_soon_as_it_is_reclaimed() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease stale = channel.lease();
    channel.crash();

    assertThat(channel.settle(stale, OutcomeSamples.completed())).containsExactly(draft.id());
    advance(minutes(2));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void what_is_settled_cannot_be_settled_again() {
    TestChannel channel = channel();
    channel.appendAll(message("completed"), message("retried"), message("dead"));
    Lease lease = channel.lease();
    channel.settle(lease, "completed", OutcomeSamples.completed());
    channel.settle(lease, "retried", OutcomeSamples.retried(minutes(1)));
    channel.settle(lease, "dead", OutcomeSamples.dead());

    assertThat(channel.settle(lease, OutcomeSamples.completed())).hasSize(3);

    assertThat(channel.dead()).containsExactly("dead");
    advance(minutes(2));
    assertThat(channel.drain()).containsExactly("retried");
  }

  @Test
  void a_released_message_cannot_be_settled() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    store.release(channel.definition(), Set.of(lease.token()));

    assertThat(channel.settle(lease, OutcomeSamples.completed())).hasSize(1);
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_token_that_never_was_settles_nothing() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Settlement ready = new Settlement(draft.id(), UUID.randomUUID(), OutcomeSamples.completed());
    assertThat(store.settle(channel.definition(), List.of(ready))).containsExactly(draft.id());

    Lease lease = channel.lease();
    Settlement leased = new Settlement(draft.id(), UUID.randomUUID(), OutcomeSamples.completed());
    assertThat(store.settle(channel.definition(), List.of(leased))).containsExactly(draft.id());
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void a_message_that_never_was_is_reported_as_lost() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    UUID unknown = UUID.randomUUID();
    Settlement settlement = new Settlement(unknown, lease.token(), OutcomeSamples.completed());

    assertThat(store.settle(channel.definition(), List.of(settlement))).containsExactly(unknown);
  }

  @Test
  void the_token_of_one_lease_does_not_settle_the_message_of_another() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease one = channel.lease(1);
    Lease two = channel.lease(1);
    UUID id = only(two).id();
    Settlement crossed = new Settlement(id, one.token(), OutcomeSamples.completed());

    assertThat(store.settle(channel.definition(), List.of(crossed))).containsExactly(id);
    assertThat(channel.settle(two, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void a_lease_means_nothing_in_another_channel() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease lease = channel.lease();

    TestChannel other = channel();
    assertThat(other.settle(lease, OutcomeSamples.completed())).containsExactly(draft.id());
    assertThat(store.extend(other.definition(), Set.of(lease.token()), hours(1))).hasSize(1);
    assertThat(store.release(other.definition(), Set.of(lease.token()))).isZero();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void lost_settlements_do_not_hold_up_the_others() {
    TestChannel channel = channel();
    channel.append(message("lost"));
    Lease stale = channel.settleNext(OutcomeSamples.released());
    channel.append(message("held"));
    Lease fresh = channel.lease();
    UUID lost = only(stale).id();

    Set<UUID> reported =
        store.settle(
            channel.definition(),
            fresh.messages().stream()
                .map(
                    each ->
                        new Settlement(
                            each.id(),
                            each.id().equals(lost) ? stale.token() : fresh.token(),
                            OutcomeSamples.completed()))
                .toList());

    assertThat(reported).containsExactly(lost);
    store.release(channel.definition(), Set.of(fresh.token()));
    assertThat(channel.drain()).containsExactly("lost");
  }

  /** The worker's name is for people: two workers of one name do not share leases. */
  @Test
  void workers_with_the_same_name_do_not_share_leases() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease before = channel.lease(atMost(1).by("same name"));
    channel.crash();
    advance(minutes(2));
    Lease after = channel.onAnotherNode().lease(atMost(1).by("same name"));

    assertThat(channel.settle(before, OutcomeSamples.completed())).hasSize(1);
    assertThat(store.extend(channel.definition(), Set.of(before.token()), LEASE)).hasSize(1);
    assertThat(store.release(channel.definition(), Set.of(before.token()))).isZero();
    assertThat(channel.settle(after, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void a_stale_token_neither_extends_nor_releases() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease stale = channel.lease();
    channel.crash();
    advance(minutes(2));
    channel.lease();

    assertThat(store.extend(channel.definition(), Set.of(stale.token()), hours(1)))
        .containsExactly(stale.token());
    assertThat(store.release(channel.definition(), Set.of(stale.token()))).isZero();
    channel.assertIdle();
    assertThat(channel.crash()).as("the new lease was not extended").isEqualTo(1);
  }

  @Test
  void a_stale_token_records_no_checkpoint() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease stale = channel.settleNext(OutcomeSamples.released());
    channel.lease();
    Checkpoint checkpoint = new Checkpoint(draft.id(), stale.token(), "step", "done");

    assertThatThrownBy(() -> store.checkpoint(channel.definition(), checkpoint))
        .isInstanceOfSatisfying(
            LeaseLostException.class,
            lost -> assertThat(lost.messages()).containsExactly(draft.id()));

    channel.crash();
    advance(minutes(2));
    Lease next = channel.lease();
    assertThat(labels(next)).containsExactly("a");
    assertThat(only(next).checkpoints()).isEmpty();
  }
}
