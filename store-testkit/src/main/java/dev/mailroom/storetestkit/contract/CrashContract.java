package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.label;
import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.find;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.LEASE;
import static dev.mailroom.storetestkit.contract.Request.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Backoff;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 3: attempts and crashes are two counts, and a message that kills its process dies too. */
abstract class CrashContract extends Topic {
  private static final Duration BACKOFF = minutes(5);

  CrashContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A line whose messages wait five minutes after every crash. */
  private Line fragile() {
    return line(channel().crashBackoff(Backoff.fixed(BACKOFF)));
  }

  @Test
  void a_reclaimed_lease_is_a_crash_and_the_attempt_is_given_back() {
    Line line = line();
    line.append(message("a"));
    line.lease();

    assertThat(line.crash()).isEqualTo(1);

    advance(minutes(2));
    Message message = only(line.lease());
    assertThat(message.progress().crashes()).isEqualTo(1);
    assertThat(message.progress().attempts()).isEqualTo(1);
    assertThat(message.progress().deferrals()).isZero();
  }

  @Test
  void a_live_lease_is_not_reclaimed() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(LEASE.minusMillis(1));

    assertThat(line.reclaim()).isZero();
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void only_the_expired_leases_are_reclaimed() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    line.lease(request().limit(1).lasting(seconds(1)));
    Lease live = line.lease(1);
    advance(seconds(2));

    assertThat(line.reclaim()).isEqualTo(1);
    assertThat(line.settle(live, Verdict.completed())).isEmpty();
    advance(minutes(1));
    assertThat(line.drain()).hasSize(1);
  }

  @Test
  void reclaiming_takes_no_more_leases_than_asked_for() {
    Line line = line();
    line.appendAll(message("a"), message("b"), message("c"));
    line.lease(1);
    line.lease(1);
    line.lease(1);
    advance(LEASE.plusMillis(1));

    assertThat(store.reclaim(line.channel(), 2)).isEqualTo(2);
    assertThat(store.reclaim(line.channel(), 2)).isEqualTo(1);
    assertThat(store.reclaim(line.channel(), 2)).isZero();
  }

  @Test
  void a_crashed_message_comes_back_after_the_back_off_and_not_before() {
    Line line = fragile();
    line.append(message("a"));
    line.lease();
    line.crash();

    advance(BACKOFF.minusMillis(1));
    line.assertIdle();
    advance(millis(1));
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void the_back_off_grows_with_the_crashes() {
    Line line = line(channel().crashBackoff(Backoff.linear(minutes(1), hours(1))));
    line.append(message("a"));
    for (int crashes = 1; crashes <= 3; crashes++) {
      line.lease();
      line.crash();
      advance(minutes(crashes).minusMillis(1));
      line.assertIdle();
      advance(millis(1));
    }

    assertThat(only(line.lease()).progress().crashes()).isEqualTo(3);
  }

  @Test
  void every_ungrouped_message_of_a_reclaimed_lease_counts_a_crash() {
    Line line = fragile();
    line.appendAll(message("a"), message("b"));
    line.lease();

    assertThat(line.crash()).as("one lease").isEqualTo(1);
    advance(BACKOFF);

    assertThat(List.of(only(line.lease()), only(line.lease())))
        .allSatisfy(message -> assertThat(message.progress().crashes()).isEqualTo(1));
  }

  @Test
  void what_was_settled_before_the_crash_stays_settled() {
    Line line = fragile();
    line.appendAll(message("a"), message("b"), message("c"));
    Lease lease = line.lease();
    line.settle(lease, "a", Verdict.completed());
    line.settle(lease, "b", Verdict.dead());
    line.crash();
    advance(BACKOFF);

    assertThat(line.drain()).containsExactly("c");
    assertThat(line.dead()).containsExactly("b");
  }

  @Test
  void in_a_group_only_the_head_counts_the_crash() {
    Line line = fragile();
    line.appendAll(
        message("a1").group("a"),
        message("a2").group("a"),
        message("b1").group("b"),
        message("b2").group("b"));
    Lease lease = line.lease();
    line.settle(lease, "b1", Verdict.completed());
    line.crash();
    advance(BACKOFF);

    assertThat(line.drainMessages())
        .hasSize(3)
        .allSatisfy(message -> assertOnlyTheHeadCrashed(message));
  }

  private static void assertOnlyTheHeadCrashed(Message message) {
    String label = label(message);
    assertThat(message.progress().crashes()).as(label).isEqualTo(label.equals("a2") ? 0 : 1);
    assertThat(message.progress().attempts()).as(label).isEqualTo(1);
  }

  @Test
  void a_crashed_head_keeps_its_place_and_blocks_its_group() {
    Line line = fragile();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.lease();
    line.crash();
    line.append(message("c").group("g"));

    line.assertIdle();
    advance(BACKOFF);
    Lease head = line.lease();
    assertThat(labels(head)).as("leased alone").containsExactly("a");
    line.assertIdle();
    line.settle(head, Verdict.completed());
    assertThat(line.drain()).containsExactly("b", "c");
  }

  @Test
  void a_crashed_head_that_was_moved_comes_back_to_its_group() {
    Line line = line();
    MessageDraft head = message("a").group("g");
    line.appendAll(head, message("b").group("g"));
    line.lease();
    line.crash();
    assertThat(store.reschedule(line.channel(), Target.id(head.id()), Due.after(seconds(10))))
        .isTrue();
    Lease other = line.lease();
    assertThat(labels(other)).containsExactly("b");
    advance(seconds(10));

    line.assertIdle();

    line.settle(other, Verdict.completed());
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void a_message_that_crashed_is_leased_alone() {
    Line line = fragile();
    line.appendAll(message("crashed one"), message("crashed two"));
    line.lease();
    line.crash();
    advance(BACKOFF);
    line.appendAll(message("a"), message("b"), message("c").group("g"));

    List<List<String>> leases = line.leaseAll().stream().map(Line::labels).toList();

    assertThat(leases).contains(List.of("crashed one"), List.of("crashed two"));
    assertThat(leases.stream().flatMap(List::stream))
        .containsExactlyInAnyOrder("crashed one", "crashed two", "a", "b", "c");
  }

  @Test
  void a_worker_that_fills_its_buffer_gets_no_message_that_crashed() {
    Line line = fragile();
    line.appendAll(message("crashed"), message("head").group("g"), message("next").group("g"));
    line.lease();
    line.crash();
    advance(BACKOFF);
    line.append(message("sound"));

    Lease lease = line.lease(request().withoutSuspects());

    assertThat(labels(lease)).containsExactly("sound");
    assertThat(line.claim(request().withoutSuspects()).lease()).isNull();
    assertThat(line.drain()).containsExactlyInAnyOrder("crashed", "head", "next");
  }

  @Test
  void a_message_that_crashed_and_failed_is_still_leased_alone() {
    Line line = fragile();
    line.append(message("crashed"));
    line.lease();
    line.crash();
    advance(BACKOFF);
    line.settleNext(Verdict.retried(Duration.ZERO));
    line.append(message("sound"));

    assertThat(line.lease().messages()).hasSize(1);
    assertThat(line.lease().messages()).hasSize(1);
  }

  @Test
  void at_the_crash_limit_a_message_dies_at_the_claim() {
    Line line = line(channel().crashLimit(2).crashBackoff(Backoff.fixed(BACKOFF)));
    line.append(message("a"));
    line.lease();
    line.crash();
    advance(BACKOFF);
    assertThat(only(line.lease()).progress().crashes()).isEqualTo(1);
    line.crash();
    assertThat(line.dead()).as("not before the claim").isEmpty();
    advance(BACKOFF);

    Claim claim = line.claim();

    assertThat(claim.lease()).isNull();
    DeadLetter died = assertDied(claim);
    assertThat(died.error().type()).isEqualTo("crashed");
    assertThat(died.message().progress().crashes()).isEqualTo(2);
    assertThat(died.message().progress().attempts()).isZero();
    assertThat(died.deadLetteredAt()).isEqualTo(now());
    assertThat(line.deadLetters()).containsExactly(died);
    assertThat(line.claim().died()).as("dies once").isEmpty();
  }

  @Test
  void at_the_crash_limit_a_message_dies_at_a_claim_that_wants_no_suspects() {
    Line line = line(channel().crashLimit(1).crashBackoff(Backoff.fixed(BACKOFF)));
    line.append(message("a"));
    line.lease();
    line.crash();
    advance(BACKOFF);

    Claim claim = line.claim(request().withoutSuspects());

    assertThat(claim.lease()).isNull();
    assertThat(assertDied(claim).error().type()).isEqualTo("crashed");
    assertThat(line.dead()).containsExactly("a");
  }

  @Test
  void without_dead_letters_a_message_at_the_crash_limit_is_reported_and_gone() {
    Line line = line(channel().crashLimit(1).withoutDeadLetters());
    line.append(message("a"));
    line.lease();
    line.crash();
    advance(minutes(2));

    assertThat(assertDied(line.claim()).error().type()).isEqualTo("crashed");
    assertThat(line.dead()).isEmpty();
    line.assertIdle();
  }

  @Test
  void a_head_that_dies_of_crashes_lets_its_group_go_on() {
    Line line = line(channel().crashLimit(1));
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.lease();
    line.crash();
    advance(minutes(2));

    Claim first = line.claim();
    Lease lease = first.lease() == null ? line.lease() : first.lease();

    assertThat(assertDied(first).id()).isNotNull();
    assertThat(labels(lease)).containsExactly("b");
    assertThat(find(lease, "b").progress().crashes()).isZero();
  }

  private static DeadLetter assertDied(Claim claim) {
    assertThat(claim.died()).hasSize(1);
    return claim.died().get(0);
  }
}
