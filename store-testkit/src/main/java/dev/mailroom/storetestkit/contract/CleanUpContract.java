package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Purge;
import dev.mailroom.storetestkit.ChannelDraft;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 8 and clean-up: what has outlived its time is removed in bounded batches; nothing else. */
abstract class CleanUpContract extends Topic {

  CleanUpContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A line on which everything is kept for an hour. */
  private Line forgetful() {
    return line(
        channel().deadLetterLifetime(hours(1)).deduplicationWindow(hours(1)).history(hours(1)));
  }

  private int purge(Line line, Purge what) {
    return store.purge(line.channel(), what, 100);
  }

  @Test
  void dead_letters_are_removed_after_their_lifetime_and_not_before() {
    Line line = line(channel().deadLetterLifetime(hours(2)));
    line.append(message("old"));
    line.settleNext(Verdict.dead());
    advance(hours(1));
    line.append(message("young"));
    line.settleNext(Verdict.dead());

    assertThat(purge(line, Purge.DEAD_LETTERS)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(line, Purge.DEAD_LETTERS)).isEqualTo(1);
    assertThat(line.dead()).containsExactly("young");
  }

  @Test
  void dead_letters_are_kept_for_ever_unless_said_otherwise() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.dead());
    advance(Duration.ofDays(36_500));

    assertThat(purge(line, Purge.DEAD_LETTERS)).isZero();
    assertThat(line.dead()).containsExactly("a");
  }

  @Test
  void a_dead_letter_that_its_group_waits_for_is_kept() {
    Line line = line(channel().parking().deadLetterLifetime(hours(1)));
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.settle(line.lease(1), Verdict.dead());
    advance(hours(2));

    assertThat(purge(line, Purge.DEAD_LETTERS)).isZero();
    line.redrive(DeadLetterFilter.all());
    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void deduplication_records_are_removed_after_their_window_and_not_before() {
    Line line = line(channel().deduplicationWindow(hours(2)));
    line.append(message("a").key("old"));
    line.drain();
    advance(hours(1));
    line.append(message("b").key("young"));
    line.drain();

    assertThat(purge(line, Purge.DEDUPLICATION)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(line, Purge.DEDUPLICATION)).isEqualTo(1);
    assertThat(line.append(message("c").key("young")).accepted()).isFalse();
    assertThat(line.append(message("d").key("old")).accepted()).isTrue();
  }

  @Test
  void a_deduplication_record_keeps_the_window_it_was_stored_with() {
    ChannelDraft draft = channel().deduplicationWindow(hours(1));
    Line before = line(draft);
    before.append(message("a").key("k"));
    before.drain();
    Line after = line(draft.deduplicationWindow(hours(100)));
    after.append(message("b").key("l"));
    after.drain();
    advance(hours(2));

    assertThat(purge(after, Purge.DEDUPLICATION)).isEqualTo(1);
  }

  @Test
  void completed_messages_are_kept_as_long_as_the_channel_says() {
    Line line = line(channel().history(hours(1)));
    line.appendAll(message("a"), message("b"));
    line.drain();

    assertThat(purge(line, Purge.HISTORY)).isZero();
    advance(hours(1).plusMillis(1));
    assertThat(purge(line, Purge.HISTORY)).isEqualTo(2);
    assertThat(purge(line, Purge.HISTORY)).isZero();
  }

  @Test
  void completed_messages_are_removed_at_once_unless_said_otherwise() {
    Line line = line();
    line.append(message("a"));
    line.drain();
    advance(Duration.ofDays(36_500));

    assertThat(purge(line, Purge.HISTORY)).isZero();
  }

  @Test
  void clean_up_removes_no_more_than_asked_for() {
    assertThat(List.of(Purge.DEAD_LETTERS, Purge.DEDUPLICATION, Purge.HISTORY))
        .allSatisfy(this::assertBounded);
  }

  private void assertBounded(Purge what) {
    Line line = forgetful();
    for (int i = 0; i < 5; i++) {
      line.append(message("m" + i).key("k" + i));
      line.settleNext(what == Purge.DEAD_LETTERS ? Verdict.dead() : Verdict.completed());
    }
    advance(hours(2));

    assertThat(store.purge(line.channel(), what, 2)).isEqualTo(2);
    assertThat(store.purge(line.channel(), what, 2)).isEqualTo(2);
    assertThat(store.purge(line.channel(), what, 2)).isEqualTo(1);
    assertThat(store.purge(line.channel(), what, 2)).isZero();
  }

  @Test
  void clean_up_leaves_everything_alone_that_is_still_to_be_handled() {
    assertThat(Purge.values()).allSatisfy(this::assertLeavesAloneWhatIsToBeHandled);
  }

  private void assertLeavesAloneWhatIsToBeHandled(Purge what) {
    Line line = forgetful();
    line.appendAll(message("leased").key("k1"), message("held").group("g").key("k2"));
    Lease lease = line.lease();
    line.appendAll(
        message("ready").key("k3"),
        message("next").group("g"),
        message("delayed").group("h").delay(hours(3)));
    advance(hours(2));

    purge(line, what);

    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    assertThat(line.drain()).containsExactlyInAnyOrder("ready", "next");
    advance(hours(1));
    assertThat(line.drain()).containsExactly("delayed");
  }

  @Test
  void clean_up_leaves_other_channels_alone() {
    assertThat(Purge.values()).allSatisfy(this::assertLeavesOtherChannelsAlone);
  }

  private void assertLeavesOtherChannelsAlone(Purge what) {
    Line line = forgetful();
    line.appendAll(message("completed").key("k1"), message("dead").key("k2"));
    Lease lease = line.lease();
    line.settle(lease, "completed", Verdict.completed());
    line.settle(lease, "dead", Verdict.dead());
    advance(hours(2));

    assertThat(purge(forgetful(), what)).isZero();
    assertThat(line.dead()).containsExactly("dead");
  }

  @Test
  void groups_go_on_after_idle_ones_were_cleaned_up() {
    Line line = line();
    line.appendAll(message("a1").group("a"), message("b1").group("b"), message("b2").group("b"));
    line.settle(line.lease(2), Verdict.completed());
    advance(Duration.ofDays(1));

    purge(line, Purge.IDLE_GROUPS);

    line.appendAll(message("a2").group("a"), message("a3").group("a"));
    assertThat(labels(line.lease())).containsExactly("b2", "a2", "a3");
  }

  @Test
  void a_parked_group_stays_parked_after_clean_up() {
    Line line = line(channel().parking());
    line.append(message("a").group("g"));
    line.settleNext(Verdict.dead());
    advance(Duration.ofDays(1));

    purge(line, Purge.IDLE_GROUPS);

    line.append(message("b").group("g"));
    line.assertIdle();
  }
}
