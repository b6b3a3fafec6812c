package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Purge;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A message that nobody has leased can be cancelled or moved, by its id or by its key. */
abstract class ScheduleContract extends Topic {

  ScheduleContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_ready_message_can_be_cancelled() {
    Line line = line();
    MessageDraft draft = message("a");
    line.appendAll(draft, message("b"));

    assertThat(store.cancel(line.channel(), Target.id(draft.id()))).isTrue();

    assertThat(line.drain()).containsExactly("b");
    assertThat(line.dead()).isEmpty();
  }

  @Test
  void a_scheduled_message_can_be_cancelled_and_never_fires() {
    Line line = line();
    MessageDraft draft = message("a").delay(minutes(1));
    line.append(draft);

    assertThat(store.cancel(line.channel(), Target.id(draft.id()))).isTrue();

    line.assertNextDue(null);
    advance(minutes(2));
    line.assertIdle();
  }

  @Test
  void a_message_that_waits_for_its_retry_can_be_cancelled() {
    Line line = line();
    MessageDraft draft = message("a").group("g");
    line.appendAll(draft, message("b").group("g"));
    line.settle(line.lease(1), Verdict.retried(minutes(1)));

    assertThat(store.cancel(line.channel(), Target.id(draft.id()))).isTrue();

    assertThat(line.drain()).as("its group goes on").containsExactly("b");
  }

  @Test
  void a_message_in_the_middle_of_its_group_can_be_cancelled() {
    Line line = line();
    MessageDraft draft = message("b").group("g");
    line.appendAll(message("a").group("g"), draft, message("c").group("g"));

    assertThat(store.cancel(line.channel(), Target.id(draft.id()))).isTrue();

    assertThat(line.drain()).containsExactly("a", "c");
  }

  @Test
  void a_message_can_be_cancelled_by_its_key_and_tenant() {
    Line line = line();
    line.appendAll(message("none").key("k"), message("t").key("k").tenant("t"));

    assertThat(store.cancel(line.channel(), new Target.ByKey("t", "k"))).isTrue();
    assertThat(line.drain()).containsExactly("none");
  }

  @Test
  void cancelling_by_a_key_without_a_tenant_leaves_the_tenants_alone() {
    Line line = line();
    line.appendAll(message("none").key("k"), message("t").key("k").tenant("t"));

    assertThat(store.cancel(line.channel(), Target.key("k"))).isTrue();
    assertThat(line.drain()).containsExactly("t");
  }

  @Test
  void cancelling_frees_the_deduplication_key() {
    Line line = line();
    MessageDraft byId = message("a").key("one");
    line.appendAll(byId, message("b").key("two"));
    store.cancel(line.channel(), Target.id(byId.id()));
    store.cancel(line.channel(), Target.key("two"));

    assertThat(line.append(message("c").key("one")).accepted()).isTrue();
    assertThat(line.append(message("d").key("two")).accepted()).isTrue();
    assertThat(line.drain()).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void a_leased_message_is_neither_cancelled_nor_moved() {
    Line line = line();
    MessageDraft draft = message("a").key("k");
    line.append(draft);
    Lease lease = line.lease();

    assertUntouchable(line, Target.id(draft.id()));
    assertUntouchable(line, Target.key("k"));
    assertThat(line.settle(lease, Verdict.completed())).as("the lease is intact").isEmpty();
    assertThat(line.append(message("b").key("k")).accepted()).as("the key is kept").isFalse();
  }

  @Test
  void a_dead_message_is_neither_cancelled_nor_moved() {
    Line line = line();
    MessageDraft draft = message("a").key("k");
    line.append(draft);
    line.settleNext(Verdict.dead());

    assertUntouchable(line, Target.id(draft.id()));
    assertUntouchable(line, Target.key("k"));
    assertThat(line.dead()).containsExactly("a");
  }

  @Test
  void a_message_that_is_gone_is_neither_cancelled_nor_moved() {
    Line line = line();
    MessageDraft draft = message("a").key("k");
    line.append(draft);
    line.drain();

    assertUntouchable(line, Target.id(draft.id()));
    assertUntouchable(line, Target.key("k"));
    assertUntouchable(line, Target.id(UUID.randomUUID()));
    assertUntouchable(line, Target.key("never used"));
    assertThat(line.append(message("b").key("k")).accepted()).as("the key is kept").isFalse();
  }

  @Test
  void another_channels_message_is_neither_cancelled_nor_moved() {
    Line line = line();
    MessageDraft draft = message("a").key("k");
    line.append(draft);

    assertUntouchable(line(), Target.id(draft.id()));
    assertUntouchable(line(), Target.key("k"));
    assertThat(line.drain()).containsExactly("a");
  }

  private void assertUntouchable(Line line, Target target) {
    assertThat(store.cancel(line.channel(), target)).as("cancelled").isFalse();
    assertThat(store.reschedule(line.channel(), target, Due.NOW)).as("moved").isFalse();
  }

  @Test
  void a_message_can_be_moved_to_a_later_time() {
    Line line = line();
    MessageDraft draft = message("a").delay(minutes(1));
    line.append(draft);

    assertThat(move(line, draft, minutes(10))).isTrue();

    line.assertNextDue(minutes(10));
    advance(minutes(10).minusMillis(1));
    line.assertIdle();
    advance(millis(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_message_can_be_moved_to_an_earlier_time() {
    Line line = line();
    MessageDraft draft = message("a").delay(hours(1));
    line.append(draft);

    assertThat(move(line, draft, minutes(1))).isTrue();

    line.assertIdle();
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("a");
    advance(hours(2));
    line.assertIdle();
  }

  @Test
  void a_message_can_be_moved_to_now() {
    Line line = line();
    MessageDraft draft = message("a").key("k").delay(hours(1));
    line.append(draft);

    assertThat(store.reschedule(line.channel(), Target.key("k"), Due.NOW)).isTrue();

    assertThat(only(line.lease()).id()).isEqualTo(draft.id());
  }

  @Test
  void a_ready_message_can_be_moved_to_a_later_time() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);

    assertThat(move(line, draft, minutes(1))).isTrue();

    line.assertIdle();
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_moved_message_keeps_its_counts_and_its_key() {
    Line line = line();
    MessageDraft draft = message("a").key("k");
    line.append(draft);
    line.settleNext(Verdict.retried(hours(1)));

    assertThat(move(line, draft, Duration.ZERO)).isTrue();

    Lease lease = line.lease();
    assertThat(labels(lease)).containsExactly("a");
    assertThat(only(lease).progress().attempts()).isEqualTo(2);
    assertThat(line.append(message("b").key("k")).accepted()).isFalse();
  }

  private boolean move(Line line, MessageDraft draft, Duration delay) {
    return store.reschedule(line.channel(), Target.id(draft.id()), Due.after(delay));
  }

  @Test
  void cancelling_an_older_message_does_not_free_the_key_of_a_newer_one() {
    Line line = line(channel().deduplicationWindow(hours(1)));
    MessageDraft older = message("older").key("k");
    line.append(older);
    advance(hours(2));
    MessageDraft newer = message("newer").key("k");
    line.append(newer);

    assertThat(store.cancel(line.channel(), Target.id(older.id()))).isTrue();

    assertThat(line.append(message("again").key("k")).id()).isEqualTo(newer.id());
    assertThat(line.drain()).containsExactly("newer");
  }

  @Test
  void a_head_that_is_moved_while_it_waits_for_its_retry_keeps_its_place() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));
    line.settle(line.lease(1), Verdict.retried(hours(1)));

    assertThat(move(line, head, Duration.ZERO)).isTrue();

    assertThat(line.drain()).containsExactly("a", "b");
  }

  /** A timeout may wait longer than the window in which its key is a duplicate. */
  @Test
  void a_message_is_found_by_its_key_after_the_window_of_that_key() {
    Line line = line(channel().deduplicationWindow(hours(1)));
    line.appendAll(
        message("moved").key("one").delay(hours(9)),
        message("cancelled").key("two").delay(hours(9)));
    advance(hours(2));
    store.purge(line.channel(), Purge.DEDUPLICATION, 100);

    assertThat(store.reschedule(line.channel(), Target.key("one"), Due.NOW)).isTrue();
    assertThat(store.cancel(line.channel(), Target.key("two"))).isTrue();

    assertThat(line.drain()).containsExactly("moved");
    line.assertNextDue(null);
  }

  @Test
  void a_head_that_is_moved_to_a_later_time_lets_its_group_go_on() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));

    assertThat(move(line, head, minutes(1))).isTrue();

    assertThat(line.drain()).containsExactly("b");
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("a");
  }
}
