package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
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

/** A message that is not leased can be cancelled or rescheduled, by its id or by its key. */
abstract class CancelAndRescheduleContract extends StoreTestBase {

  CancelAndRescheduleContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_ready_message_can_be_cancelled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.appendAll(draft, message("b"));

    assertThat(store.cancel(channel.definition(), Target.id(draft.id()))).isTrue();

    assertThat(channel.drain()).containsExactly("b");
    assertThat(channel.dead()).isEmpty();
  }

  @Test
  void a_scheduled_message_can_be_cancelled_and_never_fires() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").delay(minutes(1));
    channel.append(draft);

    assertThat(store.cancel(channel.definition(), Target.id(draft.id()))).isTrue();

    channel.assertNextDue(null);
    advance(minutes(2));
    channel.assertIdle();
  }

  @Test
  void a_message_that_waits_for_its_retry_can_be_cancelled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").group("g");
    channel.appendAll(draft, message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.retried(minutes(1)));

    assertThat(store.cancel(channel.definition(), Target.id(draft.id()))).isTrue();

    assertThat(channel.drain()).as("its group goes on").containsExactly("b");
  }

  @Test
  void a_message_in_the_middle_of_its_group_can_be_cancelled() {
    TestChannel channel = channel();
    MessageDraft draft = message("b").group("g");
    channel.appendAll(message("a").group("g"), draft, message("c").group("g"));

    assertThat(store.cancel(channel.definition(), Target.id(draft.id()))).isTrue();

    assertThat(channel.drain()).containsExactly("a", "c");
  }

  @Test
  void a_message_can_be_cancelled_by_its_key_and_tenant() {
    TestChannel channel = channel();
    channel.appendAll(message("none").key("k"), message("t").key("k").tenant("t"));

    assertThat(store.cancel(channel.definition(), new Target.ByKey("t", "k"))).isTrue();
    assertThat(channel.drain()).containsExactly("none");
  }

  @Test
  void cancelling_by_a_key_without_a_tenant_leaves_the_tenants_alone() {
    TestChannel channel = channel();
    channel.appendAll(message("none").key("k"), message("t").key("k").tenant("t"));

    assertThat(store.cancel(channel.definition(), Target.key("k"))).isTrue();
    assertThat(channel.drain()).containsExactly("t");
  }

  @Test
  void cancelling_frees_the_deduplication_key() {
    TestChannel channel = channel();
    MessageDraft byId = message("a").key("one");
    channel.appendAll(byId, message("b").key("two"));
    store.cancel(channel.definition(), Target.id(byId.id()));
    store.cancel(channel.definition(), Target.key("two"));

    assertThat(channel.append(message("c").key("one")).accepted()).isTrue();
    assertThat(channel.append(message("d").key("two")).accepted()).isTrue();
    assertThat(channel.drain()).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void a_leased_message_is_neither_cancelled_nor_rescheduled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k");
    channel.append(draft);
    Lease lease = channel.lease();

    assertUntouchable(channel, Target.id(draft.id()));
    assertUntouchable(channel, Target.key("k"));
    assertThat(channel.settle(lease, OutcomeSamples.completed()))
        .as("the lease is intact")
        .isEmpty();
    assertThat(channel.append(message("b").key("k")).accepted()).as("the key is kept").isFalse();
  }

  @Test
  void a_dead_message_is_neither_cancelled_nor_rescheduled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k");
    channel.append(draft);
    channel.settleNext(OutcomeSamples.dead());

    assertUntouchable(channel, Target.id(draft.id()));
    assertUntouchable(channel, Target.key("k"));
    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void a_message_that_is_gone_is_neither_cancelled_nor_rescheduled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k");
    channel.append(draft);
    channel.drain();

    assertUntouchable(channel, Target.id(draft.id()));
    assertUntouchable(channel, Target.key("k"));
    assertUntouchable(channel, Target.id(UUID.randomUUID()));
    assertUntouchable(channel, Target.key("never used"));
    assertThat(channel.append(message("b").key("k")).accepted()).as("the key is kept").isFalse();
  }

  @Test
  void another_channels_message_is_neither_cancelled_nor_rescheduled() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k");
    channel.append(draft);

    assertUntouchable(channel(), Target.id(draft.id()));
    assertUntouchable(channel(), Target.key("k"));
    assertThat(channel.drain()).containsExactly("a");
  }

  private void assertUntouchable(TestChannel channel, Target target) {
    assertThat(store.cancel(channel.definition(), target)).as("cancelled").isFalse();
    assertThat(store.reschedule(channel.definition(), target, Due.NOW)).as("moved").isFalse();
  }

  @Test
  void a_message_can_be_rescheduled_to_a_later_time() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").delay(minutes(1));
    channel.append(draft);

    assertThat(move(channel, draft, minutes(10))).isTrue();

    channel.assertNextDue(minutes(10));
    advance(minutes(10).minusMillis(1));
    channel.assertIdle();
    advance(millis(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_message_can_be_rescheduled_to_an_earlier_time() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").delay(hours(1));
    channel.append(draft);

    assertThat(move(channel, draft, minutes(1))).isTrue();

    channel.assertIdle();
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("a");
    advance(hours(2));
    channel.assertIdle();
  }

  @Test
  void a_message_can_be_rescheduled_to_now() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k").delay(hours(1));
    channel.append(draft);

    assertThat(store.reschedule(channel.definition(), Target.key("k"), Due.NOW)).isTrue();

    assertThat(only(channel.lease()).id()).isEqualTo(draft.id());
  }

  @Test
  void a_ready_message_can_be_rescheduled_to_a_later_time() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);

    assertThat(move(channel, draft, minutes(1))).isTrue();

    channel.assertIdle();
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_rescheduled_message_keeps_its_counts_and_its_key() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").key("k");
    channel.append(draft);
    channel.settleNext(OutcomeSamples.retried(hours(1)));

    assertThat(move(channel, draft, Duration.ZERO)).isTrue();

    Lease lease = channel.lease();
    assertThat(labels(lease)).containsExactly("a");
    assertThat(only(lease).progress().attempts()).isEqualTo(2);
    assertThat(channel.append(message("b").key("k")).accepted()).isFalse();
  }

  private boolean move(TestChannel channel, MessageDraft draft, Duration delay) {
    return store.reschedule(channel.definition(), Target.id(draft.id()), Due.after(delay));
  }

  @Test
  void cancelling_an_older_message_does_not_free_the_key_of_a_newer_one() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(1)));
    MessageDraft older = message("older").key("k");
    channel.append(older);
    advance(hours(2));
    MessageDraft newer = message("newer").key("k");
    channel.append(newer);

    assertThat(store.cancel(channel.definition(), Target.id(older.id()))).isTrue();

    assertThat(channel.append(message("again").key("k")).id()).isEqualTo(newer.id());
    assertThat(channel.drain()).containsExactly("newer");
  }

  @Test
  void a_head_that_is_rescheduled_while_it_waits_for_its_retry_keeps_its_position() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.retried(hours(1)));

    assertThat(move(channel, head, Duration.ZERO)).isTrue();

    assertThat(channel.drain()).containsExactly("a", "b");
  }

  /** A timeout may wait longer than the window in which its key is a duplicate. */
  @Test
  void a_message_is_found_by_its_key_after_the_window_of_that_key() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(1)));
    channel.appendAll(
        message("moved").key("one").delay(hours(9)),
        message("cancelled").key("two").delay(hours(9)));
    advance(hours(2));
    store.purge(channel.definition(), Purge.DEDUPLICATION, 100);

    assertThat(store.reschedule(channel.definition(), Target.key("one"), Due.NOW)).isTrue();
    assertThat(store.cancel(channel.definition(), Target.key("two"))).isTrue();

    assertThat(channel.drain()).containsExactly("moved");
    channel.assertNextDue(null);
  }

  @Test
  void a_head_that_is_rescheduled_to_a_later_time_unblocks_its_group() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));

    assertThat(move(channel, head, minutes(1))).isTrue();

    assertThat(channel.drain()).containsExactly("b");
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("a");
  }
}
