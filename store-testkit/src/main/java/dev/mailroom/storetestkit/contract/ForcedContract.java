package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
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

/** A message that is meant even if leased is cancelled or moved from under its worker. */
abstract class ForcedContract extends Topic {

  ForcedContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_leased_message_is_removed_by_force_and_its_workers_outcome_is_lost() {
    Line line = line();
    MessageDraft draft = message("a");
    line.appendAll(draft, message("b"));
    Lease lease = line.lease();

    assertThat(cancel(line, draft)).isTrue();

    assertThat(line.settle(lease, "a", Verdict.retried(minutes(1)))).containsExactly(draft.id());
    assertThat(line.settle(lease, "b", Verdict.completed())).as("its neighbour").isEmpty();
    advance(hours(1));
    line.assertIdle();
    assertThat(line.dead()).isEmpty();
    assertThat(line.crash()).as("leases that were left over").isZero();
  }

  @Test
  void removing_by_force_frees_the_key() {
    Line line = line();
    line.append(message("a").key("k"));
    line.lease();

    assertThat(store.cancel(line.channel(), Target.key("k").includingLeased())).isTrue();

    assertThat(line.append(message("b").key("k")).accepted()).isTrue();
    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void a_lease_whose_last_message_was_removed_is_held_no_longer() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease lease = line.lease();

    assertThat(cancel(line, draft)).isTrue();

    assertThat(store.extend(line.channel(), Set.of(lease.token()), hours(1)))
        .containsExactly(lease.token());
    assertThat(store.release(line.channel(), Set.of(lease.token()))).isZero();
  }

  @Test
  void a_message_that_nobody_has_leased_is_cancelled_and_moved_as_ever() {
    Line line = line();
    MessageDraft cancelled = message("cancelled");
    MessageDraft moved = message("moved").delay(hours(1));
    line.appendAll(cancelled, moved);

    assertThat(cancel(line, cancelled)).isTrue();
    assertThat(move(line, moved, Duration.ZERO)).isTrue();

    assertThat(line.drain()).containsExactly("moved");
  }

  @Test
  void what_is_dead_or_gone_is_not_touched_by_force() {
    Line line = line();
    MessageDraft dead = message("dead").key("k");
    line.append(dead);
    line.settleNext(Verdict.dead());

    assertThat(cancel(line, dead)).isFalse();
    assertThat(store.cancel(line.channel(), Target.key("k").includingLeased())).isFalse();
    assertThat(move(line, dead, Duration.ZERO)).isFalse();
    assertThat(store.cancel(line.channel(), Target.id(UUID.randomUUID()).includingLeased()))
        .isFalse();
    assertThat(line.dead()).containsExactly("dead");
  }

  @Test
  void a_leased_message_is_taken_by_force_and_can_be_leased_anew() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease stale = line.lease();

    assertThat(move(line, draft, Duration.ZERO)).isTrue();

    Lease fresh = line.lease();
    assertThat(only(fresh).progress().attempts()).as("the attempt was given back").isEqualTo(1);
    assertThat(line.settle(stale, Verdict.completed())).containsExactly(draft.id());
    assertThat(line.settle(fresh, Verdict.completed())).isEmpty();
  }

  @Test
  void a_leased_message_is_moved_by_force_to_a_later_time() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease stale = line.lease();

    assertThat(move(line, draft, minutes(10))).isTrue();

    line.assertNextDue(minutes(10));
    assertThat(line.settle(stale, Verdict.completed())).containsExactly(draft.id());
    advance(minutes(10));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_message_that_has_crashed_before_is_taken_by_force_and_still_comes_alone() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    line.lease();
    line.crash();
    advance(minutes(1));
    line.append(message("b"));
    Lease suspect = line.leaseAll().stream().filter(l -> labels(l).contains("a")).findFirst().get();

    assertThat(move(line, draft, Duration.ZERO)).isTrue();

    assertThat(line.settle(suspect, Verdict.completed())).containsExactly(draft.id());
    Lease again = line.lease();
    assertThat(labels(again)).containsExactly("a");
    assertThat(only(again).progress().crashes()).isEqualTo(1);
  }

  @Test
  void a_head_removed_by_force_frees_its_group() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));
    line.lease(1);
    line.assertIdle();

    assertThat(cancel(line, head)).isTrue();

    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void a_group_waits_for_what_else_is_leased_of_it() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"), message("c").group("g"));
    Lease lease = line.lease(2);

    assertThat(cancel(line, head)).isTrue();

    line.assertIdle();
    assertThat(line.settle(lease, "b", Verdict.completed())).isEmpty();
    assertThat(line.drain()).containsExactly("c");
  }

  @Test
  void a_head_taken_by_force_keeps_its_place() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));
    line.lease(1);

    assertThat(move(line, head, Duration.ZERO)).isTrue();

    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_moved_by_force_to_a_later_time_lets_its_group_go_on() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));
    line.lease(1);

    assertThat(move(line, head, minutes(1))).isTrue();

    assertThat(line.drain()).containsExactly("b");
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_commit_cancels_by_force_what_it_does_not_settle() {
    Line line = line();
    MessageDraft cause = message("cause");
    MessageDraft leased = message("leased").key("k");
    line.append(cause);
    Lease own = line.lease();
    line.append(leased);
    Lease other = line.lease();
    Settlement done = new Settlement(cause.id(), own.token(), Verdict.completed());

    store.commit(
        new Commit(
            List.of(new Commit.Settlements(line.channel(), List.of(done))),
            List.of(new Commit.Appends(line.channel(), List.of(message("next").key("k").build()))),
            List.of(
                new Commit.Cancel(line.channel(), Target.id(leased.id()).includingLeased()),
                new Commit.Cancel(line.channel(), Target.id(cause.id()).includingLeased())),
            null));

    assertThat(line.settle(other, Verdict.completed())).containsExactly(leased.id());
    assertThat(line.drain()).containsExactly("next");
  }

  private boolean cancel(Line line, MessageDraft draft) {
    return store.cancel(line.channel(), Target.id(draft.id()).includingLeased());
  }

  private boolean move(Line line, MessageDraft draft, Duration delay) {
    Target target = Target.id(draft.id()).includingLeased();
    return store.reschedule(line.channel(), target, Due.after(delay));
  }
}
