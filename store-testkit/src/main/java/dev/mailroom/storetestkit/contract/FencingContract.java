package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.LEASE;
import static dev.mailroom.storetestkit.contract.Request.atMost;
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
abstract class FencingContract extends Topic {

  FencingContract(Callable<StoreFixture> source) {
    super(source);
  }

  private static List<Outcome> outcomes() {
    return List.of(
        Verdict.completed(),
        Verdict.retried(hours(1)),
        Verdict.deferred(hours(1)),
        Verdict.released(),
        Verdict.dead(),
        Verdict.discarded());
  }

  @Test
  void a_stale_token_settles_nothing_and_is_reported_as_lost() {
    assertThat(outcomes()).allSatisfy(this::assertFenced);
  }

  private void assertFenced(Outcome outcome) {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease stale = line.lease();
    line.crash();
    advance(minutes(2));
    Lease fresh = line.lease();

    assertThat(line.settle(stale, outcome)).containsExactly(draft.id());

    line.assertIdle();
    assertThat(line.dead()).isEmpty();
    assertThat(line.settle(fresh, Verdict.completed())).as("the new holder's lease").isEmpty();
  }

  @Test
  void a_lease_is_lost_as_soon_as_it_is_reclaimed() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease stale = line.lease();
    line.crash();

    assertThat(line.settle(stale, Verdict.completed())).containsExactly(draft.id());
    advance(minutes(2));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void what_is_settled_cannot_be_settled_again() {
    Line line = line();
    line.appendAll(message("completed"), message("retried"), message("dead"));
    Lease lease = line.lease();
    line.settle(lease, "completed", Verdict.completed());
    line.settle(lease, "retried", Verdict.retried(minutes(1)));
    line.settle(lease, "dead", Verdict.dead());

    assertThat(line.settle(lease, Verdict.completed())).hasSize(3);

    assertThat(line.dead()).containsExactly("dead");
    advance(minutes(2));
    assertThat(line.drain()).containsExactly("retried");
  }

  @Test
  void what_was_given_back_cannot_be_settled() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    store.release(line.channel(), Set.of(lease.token()));

    assertThat(line.settle(lease, Verdict.completed())).hasSize(1);
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_token_that_never_was_settles_nothing() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Settlement ready = new Settlement(draft.id(), UUID.randomUUID(), Verdict.completed());
    assertThat(store.settle(line.channel(), List.of(ready))).containsExactly(draft.id());

    Lease lease = line.lease();
    Settlement leased = new Settlement(draft.id(), UUID.randomUUID(), Verdict.completed());
    assertThat(store.settle(line.channel(), List.of(leased))).containsExactly(draft.id());
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void a_message_that_never_was_is_reported_as_lost() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    UUID unknown = UUID.randomUUID();
    Settlement settlement = new Settlement(unknown, lease.token(), Verdict.completed());

    assertThat(store.settle(line.channel(), List.of(settlement))).containsExactly(unknown);
  }

  @Test
  void the_token_of_one_lease_does_not_settle_the_message_of_another() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    Lease one = line.lease(1);
    Lease two = line.lease(1);
    UUID id = only(two).id();
    Settlement crossed = new Settlement(id, one.token(), Verdict.completed());

    assertThat(store.settle(line.channel(), List.of(crossed))).containsExactly(id);
    assertThat(line.settle(two, Verdict.completed())).isEmpty();
  }

  @Test
  void a_lease_means_nothing_in_another_channel() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease lease = line.lease();

    Line other = line();
    assertThat(other.settle(lease, Verdict.completed())).containsExactly(draft.id());
    assertThat(store.extend(other.channel(), Set.of(lease.token()), hours(1))).hasSize(1);
    assertThat(store.release(other.channel(), Set.of(lease.token()))).isZero();
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void lost_settlements_do_not_hold_up_the_others() {
    Line line = line();
    line.append(message("lost"));
    Lease stale = line.settleNext(Verdict.released());
    line.append(message("held"));
    Lease fresh = line.lease();
    UUID lost = only(stale).id();

    Set<UUID> reported =
        store.settle(
            line.channel(),
            fresh.messages().stream()
                .map(
                    each ->
                        new Settlement(
                            each.id(),
                            each.id().equals(lost) ? stale.token() : fresh.token(),
                            Verdict.completed()))
                .toList());

    assertThat(reported).containsExactly(lost);
    store.release(line.channel(), Set.of(fresh.token()));
    assertThat(line.drain()).containsExactly("lost");
  }

  /** The worker's name is for people: two workers of one name do not share leases. */
  @Test
  void workers_with_the_same_name_do_not_share_leases() {
    Line line = line();
    line.append(message("a"));
    Lease before = line.lease(atMost(1).by("same name"));
    line.crash();
    advance(minutes(2));
    Lease after = line.elsewhere().lease(atMost(1).by("same name"));

    assertThat(line.settle(before, Verdict.completed())).hasSize(1);
    assertThat(store.extend(line.channel(), Set.of(before.token()), LEASE)).hasSize(1);
    assertThat(store.release(line.channel(), Set.of(before.token()))).isZero();
    assertThat(line.settle(after, Verdict.completed())).isEmpty();
  }

  @Test
  void a_stale_token_neither_extends_nor_releases() {
    Line line = line();
    line.append(message("a"));
    Lease stale = line.lease();
    line.crash();
    advance(minutes(2));
    line.lease();

    assertThat(store.extend(line.channel(), Set.of(stale.token()), hours(1)))
        .containsExactly(stale.token());
    assertThat(store.release(line.channel(), Set.of(stale.token()))).isZero();
    line.assertIdle();
    assertThat(line.crash()).as("the new lease was not extended").isEqualTo(1);
  }

  @Test
  void a_stale_token_records_no_checkpoint() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease stale = line.settleNext(Verdict.released());
    line.lease();
    Checkpoint checkpoint = new Checkpoint(draft.id(), stale.token(), "step", "done");

    assertThatThrownBy(() -> store.checkpoint(line.channel(), checkpoint))
        .isInstanceOfSatisfying(
            LeaseLostException.class,
            lost -> assertThat(lost.messages()).containsExactly(draft.id()));

    line.crash();
    advance(minutes(2));
    Lease next = line.lease();
    assertThat(labels(next)).containsExactly("a");
    assertThat(only(next).checkpoints()).isEmpty();
  }
}
