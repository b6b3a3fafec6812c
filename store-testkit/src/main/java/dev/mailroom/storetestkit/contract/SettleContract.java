package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.OutcomeSamples.ERROR;
import static dev.mailroom.storetestkit.contract.TestChannel.find;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What becomes of a leased message, and what is counted. */
abstract class SettleContract extends StoreTestBase {

  SettleContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_completed_message_never_comes_back() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.completed());
    advance(Duration.ofDays(1));

    assertThat(channel.reclaim()).isZero();
    channel.assertIdle();
    assertThat(channel.dead()).isEmpty();
  }

  @Test
  void a_retried_message_comes_back_after_its_delay_and_not_before() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.retried(minutes(5)));

    advance(minutes(5).minusMillis(1));
    channel.assertIdle();
    advance(millis(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_retry_keeps_the_attempt_and_the_error() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Message first = only(channel.settleNext(OutcomeSamples.retried(Duration.ZERO)));
    assertThat(first.progress().lastError()).isNull();

    Progress progress = only(channel.settleNext(OutcomeSamples.retried(Duration.ZERO))).progress();

    assertThat(progress.attempts()).isEqualTo(2);
    assertThat(progress.deferrals()).isZero();
    assertThat(progress.lastError()).isEqualTo(ERROR);
    assertThat(only(channel.lease()).progress().attempts()).isEqualTo(3);
  }

  @Test
  void a_deferral_gives_the_attempt_back_and_is_counted_apart() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.deferred(seconds(1)));
    channel.assertIdle();
    advance(seconds(1));
    channel.settleNext(OutcomeSamples.deferred(seconds(1)));
    advance(seconds(1));

    Progress progress = only(channel.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.deferrals()).isEqualTo(2);
    assertThat(progress.lastError()).isEqualTo(ERROR);
  }

  /** Rule 8: a message with an unknown contract is parked, and the store records since when. */
  @Test
  void a_parked_message_counts_nothing_and_remembers_since_when() {
    TestChannel channel = channel();
    channel.append(message("a"));
    advance(seconds(1));
    Instant parked = now();
    channel.settleNext(OutcomeSamples.parked(minutes(1)));
    channel.assertIdle();
    advance(minutes(1));
    channel.settleNext(OutcomeSamples.parked(minutes(1)));
    advance(minutes(1));

    Progress progress = only(channel.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.deferrals()).isZero();
    assertThat(progress.crashes()).isZero();
    assertThat(progress.parkedSince()).isEqualTo(parked);
  }

  @Test
  void a_released_message_is_ready_at_once_and_its_attempt_is_given_back() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.retried(Duration.ZERO));
    channel.settleNext(OutcomeSamples.released());

    Progress progress = only(channel.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(2);
    assertThat(progress.crashes()).isZero();
    assertThat(progress.deferrals()).isZero();
  }

  @Test
  void a_dead_message_becomes_a_dead_letter_with_its_error() {
    TestChannel channel = channel();
    channel.append(message("a").group("g").tenant("t").header("h", "v"));
    advance(seconds(1));
    Message message = only(channel.settleNext(OutcomeSamples.dead()));

    DeadLetter letter = channel.deadLetters().get(0);

    assertThat(letter.error()).isEqualTo(ERROR);
    assertThat(letter.deadLetteredAt()).isEqualTo(now());
    assertThat(letter.message().envelope()).isEqualTo(message.envelope());
    assertThat(letter.message().timing().createdAt()).isEqualTo(message.timing().createdAt());
    assertThat(letter.message().progress().attempts()).isEqualTo(1);
  }

  @Test
  void a_dead_message_never_comes_back_by_itself() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.dead());
    advance(Duration.ofDays(1));

    channel.reclaim();
    channel.assertIdle();
    assertThat(channel.dead()).containsExactly("a");
  }

  /** Rule 8: an undecodable message is kept all the same; the outcome says so, not the policy. */
  @Test
  void a_dead_message_is_kept_even_where_the_channel_keeps_no_dead_letters() {
    TestChannel channel = channel(channelDraft().withoutDeadLetters());
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.dead());

    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void a_discarded_message_leaves_no_trace() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.discarded());
    advance(Duration.ofDays(1));

    channel.assertIdle();
    assertThat(channel.dead()).isEmpty();
  }

  @Test
  void many_outcomes_are_settled_in_one_call() {
    TestChannel channel = channel();
    channel.appendAll(
        message("completed"), message("retried"), message("released"), message("dead"));
    Lease one = channel.lease(3);
    Lease two = channel.lease(3);

    assertThat(
            store.settle(
                channel.definition(),
                List.of(each(one, 0), each(one, 1), each(one, 2), each(two, 0))))
        .isEmpty();

    assertThat(channel.dead()).containsExactly("dead");
    assertThat(channel.drain()).containsExactly("released");
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("retried");
  }

  private static Settlement each(Lease lease, int index) {
    Message message = lease.messages().get(index);
    return new Settlement(
        message.id(),
        lease.token(),
        switch (label(message)) {
          case "completed" -> OutcomeSamples.completed();
          case "retried" -> OutcomeSamples.retried(minutes(1));
          case "released" -> OutcomeSamples.released();
          default -> OutcomeSamples.dead();
        });
  }

  @Test
  void settling_nothing_is_nothing() {
    assertThat(store.settle(channel().definition(), List.of())).isEmpty();
  }

  @Test
  void messages_of_one_lease_go_their_own_ways() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease lease = channel.lease();
    channel.settle(lease, "a", OutcomeSamples.retried(Duration.ZERO));

    Lease next = channel.lease();

    assertThat(find(next, "a").progress().attempts()).isEqualTo(2);
    assertThat(channel.settle(lease, "b", OutcomeSamples.completed())).isEmpty();
    assertThat(channel.settle(next, OutcomeSamples.completed())).isEmpty();
  }
}
