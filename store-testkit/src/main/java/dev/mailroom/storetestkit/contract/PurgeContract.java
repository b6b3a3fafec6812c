package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Purge;
import dev.mailroom.storetestkit.ChannelDraft;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 8: a purge removes only expired records, in bounded batches. */
abstract class PurgeContract extends StoreTestBase {

  PurgeContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A channel that keeps everything for an hour. */
  private TestChannel withShortRetention() {
    return channel(
        channelDraft()
            .deadLetterLifetime(hours(1))
            .deduplicationWindow(hours(1))
            .history(hours(1)));
  }

  private int purge(TestChannel channel, Purge what) {
    return store.purge(channel.definition(), what, 100);
  }

  @Test
  void dead_letters_are_removed_after_their_lifetime_and_not_before() {
    TestChannel channel = channel(channelDraft().deadLetterLifetime(hours(2)));
    channel.append(message("old"));
    channel.settleNext(OutcomeSamples.dead());
    advance(hours(1));
    channel.append(message("young"));
    channel.settleNext(OutcomeSamples.dead());

    assertThat(purge(channel, Purge.DEAD_LETTERS)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(channel, Purge.DEAD_LETTERS)).isEqualTo(1);
    assertThat(channel.dead()).containsExactly("young");
  }

  @Test
  void dead_letters_are_kept_for_ever_unless_said_otherwise() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.dead());
    advance(Duration.ofDays(36_500));

    assertThat(purge(channel, Purge.DEAD_LETTERS)).isZero();
    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void a_dead_letter_that_its_group_waits_for_is_kept() {
    TestChannel channel = channel(channelDraft().parking().deadLetterLifetime(hours(1)));
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.dead());
    advance(hours(2));

    assertThat(purge(channel, Purge.DEAD_LETTERS)).isZero();
    channel.redrive(DeadLetterFilter.all());
    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void deduplication_records_are_removed_after_their_window_and_not_before() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(2)));
    channel.append(message("a").key("old"));
    channel.drain();
    advance(hours(1));
    channel.append(message("b").key("young"));
    channel.drain();

    assertThat(purge(channel, Purge.DEDUPLICATION)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(channel, Purge.DEDUPLICATION)).isEqualTo(1);
    assertThat(channel.append(message("c").key("young")).accepted()).isFalse();
    assertThat(channel.append(message("d").key("old")).accepted()).isTrue();
  }

  @Test
  void a_deduplication_record_keeps_the_window_it_was_stored_with() {
    ChannelDraft draft = channelDraft().deduplicationWindow(hours(1));
    TestChannel before = channel(draft);
    before.append(message("a").key("k"));
    before.drain();
    TestChannel after = channel(draft.deduplicationWindow(hours(100)));
    after.append(message("b").key("l"));
    after.drain();
    advance(hours(2));

    assertThat(purge(after, Purge.DEDUPLICATION)).isEqualTo(1);
  }

  @Test
  void completed_messages_are_kept_as_long_as_the_channel_says() {
    TestChannel channel = channel(channelDraft().history(hours(1)));
    channel.appendAll(message("a"), message("b"));
    channel.drain();

    assertThat(purge(channel, Purge.HISTORY)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(channel, Purge.HISTORY)).isEqualTo(2);
    assertThat(purge(channel, Purge.HISTORY)).isZero();
  }

  @Test
  void completed_messages_are_removed_at_once_unless_said_otherwise() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.drain();
    advance(Duration.ofDays(36_500));

    assertThat(purge(channel, Purge.HISTORY)).isZero();
  }

  @Test
  void a_purge_removes_no_more_than_asked_for() {
    assertThat(List.of(Purge.DEAD_LETTERS, Purge.DEDUPLICATION, Purge.HISTORY))
        .allSatisfy(this::assertBounded);
  }

  private void assertBounded(Purge what) {
    TestChannel channel = withShortRetention();
    for (int i = 0; i < 5; i++) {
      channel.append(message("m" + i).key("k" + i));
      channel.settleNext(
          what == Purge.DEAD_LETTERS ? OutcomeSamples.dead() : OutcomeSamples.completed());
    }
    advance(hours(2));

    assertThat(store.purge(channel.definition(), what, 2)).isEqualTo(2);
    assertThat(store.purge(channel.definition(), what, 2)).isEqualTo(2);
    assertThat(store.purge(channel.definition(), what, 2)).isEqualTo(1);
    assertThat(store.purge(channel.definition(), what, 2)).isZero();
  }

  @Test
  void a_purge_keeps_everything_that_is_still_to_be_handled() {
    assertThat(Purge.values()).allSatisfy(this::assertLeavesAloneWhatIsToBeHandled);
  }

  private void assertLeavesAloneWhatIsToBeHandled(Purge what) {
    TestChannel channel = withShortRetention();
    channel.appendAll(message("leased").key("k1"), message("held").group("g").key("k2"));
    Lease lease = channel.lease();
    channel.appendAll(
        message("ready").key("k3"),
        message("next").group("g"),
        message("delayed").group("h").delay(hours(3)));
    advance(hours(2));

    purge(channel, what);

    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactlyInAnyOrder("ready", "next");
    advance(hours(1));
    assertThat(channel.drain()).containsExactly("delayed");
  }

  @Test
  void a_purge_keeps_other_channels() {
    assertThat(Purge.values()).allSatisfy(this::assertLeavesOtherChannelsAlone);
  }

  private void assertLeavesOtherChannelsAlone(Purge what) {
    TestChannel channel = withShortRetention();
    channel.appendAll(message("completed").key("k1"), message("dead").key("k2"));
    Lease lease = channel.lease();
    channel.settle(lease, "completed", OutcomeSamples.completed());
    channel.settle(lease, "dead", OutcomeSamples.dead());
    advance(hours(2));

    assertThat(purge(withShortRetention(), what)).isZero();
    assertThat(channel.dead()).containsExactly("dead");
  }

  @Test
  void groups_go_on_after_idle_groups_were_purged() {
    TestChannel channel = channel();
    channel.appendAll(message("a1").group("a"), message("b1").group("b"), message("b2").group("b"));
    channel.settle(channel.lease(2), OutcomeSamples.completed());
    advance(Duration.ofDays(1));

    purge(channel, Purge.IDLE_GROUPS);

    channel.appendAll(message("a2").group("a"), message("a3").group("a"));
    assertThat(labels(channel.lease())).containsExactly("b2", "a2", "a3");
  }

  @Test
  void a_parked_group_stays_parked_after_a_purge() {
    TestChannel channel = channel(channelDraft().parking());
    channel.append(message("a").group("g"));
    channel.settleNext(OutcomeSamples.dead());
    advance(Duration.ofDays(1));

    purge(channel, Purge.IDLE_GROUPS);

    channel.append(message("b").group("g"));
    channel.assertIdle();
  }
}
