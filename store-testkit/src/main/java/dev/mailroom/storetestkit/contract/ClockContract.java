package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.messages.Timing;
import dev.mailroom.options.Backoff;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 1: the store's clock decides what is due and what has expired; no worker's clock does. */
abstract class ClockContract extends StoreTestBase {

  ClockContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void the_stores_clock_moves_only_when_the_test_advances_it() {
    Instant start = now();
    advance(millis(1_500));

    assertThat(now()).isEqualTo(start.plusMillis(1_500));
  }

  @Test
  void times_are_the_stores() {
    TestChannel channel = channel();
    Instant start = now();
    channel.append(message("a").delay(seconds(10)).lifetime(minutes(1)));
    advance(seconds(12));

    Lease lease = channel.lease();

    assertThat(lease.leasedAt()).isEqualTo(start.plusSeconds(12));
    assertThat(only(lease).timing())
        .isEqualTo(new Timing(start, start, start.plusSeconds(10), start.plusSeconds(60)));
    channel.settle(lease, OutcomeSamples.dead());
    advance(seconds(1));
    assertThat(channel.deadLetters().get(0).deadLetteredAt()).isEqualTo(start.plusSeconds(12));
    assertThat(store.deadLetters(channel.definition(), DeadLetterFilter.all(), null, 1).asOf())
        .isEqualTo(start.plusSeconds(13));
  }

  @Test
  void a_delayed_message_is_due_at_its_time_and_not_before() {
    TestChannel channel = channel();
    channel.append(message("a").delay(seconds(10)));

    advance(seconds(10).minusMillis(1));
    channel.assertIdle();
    advance(millis(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_message_for_a_time_is_due_when_the_stores_clock_shows_it() {
    TestChannel channel = channel();
    channel.append(message("later").at(now().plusSeconds(10)));
    channel.append(message("past").at(now().minusSeconds(10)));

    assertThat(channel.drain()).containsExactly("past");
    advance(seconds(10));
    assertThat(channel.drain()).containsExactly("later");
  }

  @Test
  void a_claim_says_how_long_it_is_until_the_next_message_is_due() {
    TestChannel channel = channel();
    channel.append(message("b").delay(seconds(20)));
    channel.append(message("a").delay(seconds(10)));
    channel.append(message("c").delay(seconds(30)));

    channel.assertNextDue(seconds(10));
    advance(seconds(4));
    channel.assertNextDue(seconds(6));
    advance(seconds(6));
    assertThat(channel.claim().nextDue()).as("beside a lease").isEqualTo(seconds(10));
  }

  @Test
  void a_message_that_waits_for_its_retry_is_the_next_that_is_due() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.retried(seconds(7)));
    channel.append(message("b").group("g"));
    channel.settleNext(OutcomeSamples.retried(seconds(9)));

    channel.assertNextDue(seconds(7));
  }

  @Test
  void a_message_that_waits_after_a_crash_is_the_next_that_is_due() {
    TestChannel channel = channel(channelDraft().crashBackoff(Backoff.fixed(seconds(3))));
    channel.append(message("a"));
    channel.lease();
    channel.crash();

    channel.assertNextDue(seconds(3));
  }

  /** A message past its lifetime is dead-lettered as expired instead of handled. */
  @Test
  void a_message_past_its_lifetime_dies_at_the_claim() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").lifetime(minutes(1));
    channel.append(draft);
    advance(minutes(1).plusMillis(1));

    var claim = channel.claim();

    assertThat(claim.lease()).isNull();
    assertThat(claim.deadLettered())
        .singleElement()
        .satisfies(
            died -> {
              assertThat(died.id()).isEqualTo(draft.id());
              assertThat(died.error().type()).isEqualTo("expired");
              assertThat(died.message().progress().attempts()).isZero();
            });
    assertThat(channel.deadLetters()).isEqualTo(claim.deadLettered());
  }

  @Test
  void a_message_within_its_lifetime_is_handled_and_may_be_settled_after_it() {
    TestChannel channel = channel();
    channel.append(message("a").lifetime(minutes(1)));
    advance(minutes(1).minusMillis(1));
    Lease lease = channel.lease();
    advance(hours(1));

    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.dead()).isEmpty();
  }

  @Test
  void a_retried_message_does_not_outlive_its_lifetime() {
    TestChannel channel = channel();
    channel.append(message("a").lifetime(minutes(1)));
    channel.settleNext(OutcomeSamples.retried(minutes(2)));
    advance(minutes(2));

    assertThat(channel.claim().deadLettered()).hasSize(1);
    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void without_dead_letters_an_expired_message_is_reported_and_gone() {
    TestChannel channel = channel(channelDraft().withoutDeadLetters());
    channel.append(message("a").lifetime(minutes(1)));
    advance(minutes(2));

    assertThat(channel.claim().deadLettered()).hasSize(1);
    assertThat(channel.dead()).isEmpty();
    channel.assertIdle();
  }

  @Test
  void what_lies_behind_an_expired_message_is_leased_once() {
    TestChannel channel = channel();
    channel.appendAll(message("a").lifetime(minutes(1)), message("b"), message("c"));
    advance(minutes(2));

    var claim = channel.claim();

    assertThat(claim.deadLettered()).hasSize(1);
    Lease lease = claim.lease() == null ? channel.lease() : claim.lease();
    assertThat(TestChannel.labels(lease)).containsExactly("b", "c");
  }

  @Test
  void an_expired_head_lets_its_group_go_on() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g").lifetime(minutes(1)), message("b").group("g"));
    advance(minutes(2));

    var claim = channel.claim();

    assertThat(claim.deadLettered()).hasSize(1);
    Lease lease = claim.lease() == null ? channel.lease() : claim.lease();
    assertThat(TestChannel.labels(lease)).containsExactly("b");
  }
}
