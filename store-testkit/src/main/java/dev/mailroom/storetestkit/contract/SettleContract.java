package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.label;
import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.find;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Verdict.ERROR;
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
abstract class SettleContract extends Topic {

  SettleContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_completed_message_never_comes_back() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.completed());
    advance(Duration.ofDays(1));

    assertThat(line.reclaim()).isZero();
    line.assertIdle();
    assertThat(line.dead()).isEmpty();
  }

  @Test
  void a_retried_message_comes_back_after_its_delay_and_not_before() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.retried(minutes(5)));

    advance(minutes(5).minusMillis(1));
    line.assertIdle();
    advance(millis(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_retry_keeps_the_attempt_and_the_error() {
    Line line = line();
    line.append(message("a"));
    Message first = only(line.settleNext(Verdict.retried(Duration.ZERO)));
    assertThat(first.progress().lastError()).isNull();

    Progress progress = only(line.settleNext(Verdict.retried(Duration.ZERO))).progress();

    assertThat(progress.attempts()).isEqualTo(2);
    assertThat(progress.deferrals()).isZero();
    assertThat(progress.lastError()).isEqualTo(ERROR);
    assertThat(only(line.lease()).progress().attempts()).isEqualTo(3);
  }

  @Test
  void a_deferral_gives_the_attempt_back_and_is_counted_apart() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.deferred(seconds(1)));
    line.assertIdle();
    advance(seconds(1));
    line.settleNext(Verdict.deferred(seconds(1)));
    advance(seconds(1));

    Progress progress = only(line.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.deferrals()).isEqualTo(2);
    assertThat(progress.lastError()).isEqualTo(ERROR);
  }

  /** Rule 8: what nobody knows how to handle waits, and the store remembers since when. */
  @Test
  void a_parked_message_counts_nothing_and_remembers_since_when() {
    Line line = line();
    line.append(message("a"));
    advance(seconds(1));
    Instant parked = now();
    line.settleNext(Verdict.parked(minutes(1)));
    line.assertIdle();
    advance(minutes(1));
    line.settleNext(Verdict.parked(minutes(1)));
    advance(minutes(1));

    Progress progress = only(line.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.deferrals()).isZero();
    assertThat(progress.crashes()).isZero();
    assertThat(progress.parkedSince()).isEqualTo(parked);
  }

  @Test
  void a_released_message_is_ready_at_once_and_its_attempt_is_given_back() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.retried(Duration.ZERO));
    line.settleNext(Verdict.released());

    Progress progress = only(line.lease()).progress();

    assertThat(progress.attempts()).isEqualTo(2);
    assertThat(progress.crashes()).isZero();
    assertThat(progress.deferrals()).isZero();
  }

  @Test
  void a_dead_message_becomes_a_dead_letter_with_its_error() {
    Line line = line();
    line.append(message("a").group("g").tenant("t").header("h", "v"));
    advance(seconds(1));
    Message message = only(line.settleNext(Verdict.dead()));

    DeadLetter letter = line.deadLetters().get(0);

    assertThat(letter.error()).isEqualTo(ERROR);
    assertThat(letter.deadLetteredAt()).isEqualTo(now());
    assertThat(letter.message().envelope()).isEqualTo(message.envelope());
    assertThat(letter.message().timing().createdAt()).isEqualTo(message.timing().createdAt());
    assertThat(letter.message().progress().attempts()).isEqualTo(1);
  }

  @Test
  void a_dead_message_never_comes_back_by_itself() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.dead());
    advance(Duration.ofDays(1));

    line.reclaim();
    line.assertIdle();
    assertThat(line.dead()).containsExactly("a");
  }

  /** Rule 8: an undecodable message is kept all the same; the outcome says so, not the policy. */
  @Test
  void a_dead_message_is_kept_even_where_the_channel_keeps_no_dead_letters() {
    Line line = line(channel().withoutDeadLetters());
    line.append(message("a"));
    line.settleNext(Verdict.dead());

    assertThat(line.dead()).containsExactly("a");
  }

  @Test
  void a_discarded_message_leaves_no_trace() {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.discarded());
    advance(Duration.ofDays(1));

    line.assertIdle();
    assertThat(line.dead()).isEmpty();
  }

  @Test
  void many_outcomes_are_settled_in_one_call() {
    Line line = line();
    line.appendAll(message("completed"), message("retried"), message("released"), message("dead"));
    Lease one = line.lease(3);
    Lease two = line.lease(3);

    assertThat(
            store.settle(
                line.channel(), List.of(each(one, 0), each(one, 1), each(one, 2), each(two, 0))))
        .isEmpty();

    assertThat(line.dead()).containsExactly("dead");
    assertThat(line.drain()).containsExactly("released");
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("retried");
  }

  private static Settlement each(Lease lease, int index) {
    Message message = lease.messages().get(index);
    return new Settlement(
        message.id(),
        lease.token(),
        switch (label(message)) {
          case "completed" -> Verdict.completed();
          case "retried" -> Verdict.retried(minutes(1));
          case "released" -> Verdict.released();
          default -> Verdict.dead();
        });
  }

  @Test
  void settling_nothing_is_nothing() {
    assertThat(store.settle(line().channel(), List.of())).isEmpty();
  }

  @Test
  void messages_of_one_lease_go_their_own_ways() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    Lease lease = line.lease();
    line.settle(lease, "a", Verdict.retried(Duration.ZERO));

    Lease next = line.lease();

    assertThat(find(next, "a").progress().attempts()).isEqualTo(2);
    assertThat(line.settle(lease, "b", Verdict.completed())).isEmpty();
    assertThat(line.settle(next, Verdict.completed())).isEmpty();
  }
}
