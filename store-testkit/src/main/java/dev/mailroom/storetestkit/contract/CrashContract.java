package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static dev.mailroom.storetestkit.contract.TestChannel.find;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
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
abstract class CrashContract extends StoreTestBase {
  private static final Duration BACKOFF = minutes(5);

  CrashContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A channel whose messages wait five minutes after every crash. */
  private TestChannel fragile() {
    return channel(channelDraft().crashBackoff(Backoff.fixed(BACKOFF)));
  }

  @Test
  void a_reclaimed_lease_is_a_crash_and_the_attempt_is_given_back() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.lease();

    assertThat(channel.crash()).isEqualTo(1);

    advance(minutes(2));
    Message message = only(channel.lease());
    assertThat(message.progress().crashes()).isEqualTo(1);
    assertThat(message.progress().attempts()).isEqualTo(1);
    assertThat(message.progress().deferrals()).isZero();
  }

  @Test
  void a_live_lease_is_not_reclaimed() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(LEASE.minusMillis(1));

    assertThat(channel.reclaim()).isZero();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void only_the_expired_leases_are_reclaimed() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    channel.lease(request().limit(1).lasting(seconds(1)));
    Lease live = channel.lease(1);
    advance(seconds(2));

    assertThat(channel.reclaim()).isEqualTo(1);
    assertThat(channel.settle(live, OutcomeSamples.completed())).isEmpty();
    advance(minutes(1));
    assertThat(channel.drain()).hasSize(1);
  }

  @Test
  void reclaiming_takes_no_more_leases_than_asked_for() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"), message("c"));
    channel.lease(1);
    channel.lease(1);
    channel.lease(1);
    advance(LEASE.plusMillis(1));

    assertThat(store.reclaim(channel.definition(), 2)).isEqualTo(2);
    assertThat(store.reclaim(channel.definition(), 2)).isEqualTo(1);
    assertThat(store.reclaim(channel.definition(), 2)).isZero();
  }

  @Test
  void a_crashed_message_comes_back_after_the_back_off_and_not_before() {
    TestChannel channel = fragile();
    channel.append(message("a"));
    channel.lease();
    channel.crash();

    advance(BACKOFF.minusMillis(1));
    channel.assertIdle();
    advance(millis(1));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void the_back_off_grows_with_the_crashes() {
    TestChannel channel =
        channel(channelDraft().crashBackoff(Backoff.linear(minutes(1), hours(1))));
    channel.append(message("a"));
    for (int crashes = 1; crashes <= 3; crashes++) {
      channel.lease();
      channel.crash();
      advance(minutes(crashes).minusMillis(1));
      channel.assertIdle();
      advance(millis(1));
    }

    assertThat(only(channel.lease()).progress().crashes()).isEqualTo(3);
  }

  @Test
  void every_ungrouped_message_of_a_reclaimed_lease_counts_a_crash() {
    TestChannel channel = fragile();
    channel.appendAll(message("a"), message("b"));
    channel.lease();

    assertThat(channel.crash()).as("one lease").isEqualTo(1);
    advance(BACKOFF);

    assertThat(List.of(only(channel.lease()), only(channel.lease())))
        .allSatisfy(message -> assertThat(message.progress().crashes()).isEqualTo(1));
  }

  @Test
  void what_was_settled_before_the_crash_stays_settled() {
    TestChannel channel = fragile();
    channel.appendAll(message("a"), message("b"), message("c"));
    Lease lease = channel.lease();
    channel.settle(lease, "a", OutcomeSamples.completed());
    channel.settle(lease, "b", OutcomeSamples.dead());
    channel.crash();
    advance(BACKOFF);

    assertThat(channel.drain()).containsExactly("c");
    assertThat(channel.dead()).containsExactly("b");
  }

  @Test
  void in_a_group_only_the_head_counts_the_crash() {
    TestChannel channel = fragile();
    channel.appendAll(
        message("a1").group("a"),
        message("a2").group("a"),
        message("b1").group("b"),
        message("b2").group("b"));
    Lease lease = channel.lease();
    channel.settle(lease, "b1", OutcomeSamples.completed());
    channel.crash();
    advance(BACKOFF);

    assertThat(channel.drainMessages())
        .hasSize(3)
        .allSatisfy(message -> assertOnlyTheHeadCrashed(message));
  }

  private static void assertOnlyTheHeadCrashed(Message message) {
    String label = label(message);
    assertThat(message.progress().crashes()).as(label).isEqualTo(label.equals("a2") ? 0 : 1);
    assertThat(message.progress().attempts()).as(label).isEqualTo(1);
  }

  @Test
  void a_crashed_head_keeps_its_position_and_blocks_its_group() {
    TestChannel channel = fragile();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.lease();
    channel.crash();
    channel.append(message("c").group("g"));

    channel.assertIdle();
    advance(BACKOFF);
    Lease head = channel.lease();
    assertThat(labels(head)).as("leased alone").containsExactly("a");
    channel.assertIdle();
    channel.settle(head, OutcomeSamples.completed());
    assertThat(channel.drain()).containsExactly("b", "c");
  }

  @Test
  void a_crashed_head_that_was_rescheduled_comes_back_to_its_group() {
    TestChannel channel = channel();
    MessageDraft head = message("a").group("g");
    channel.appendAll(head, message("b").group("g"));
    channel.lease();
    channel.crash();
    assertThat(store.reschedule(channel.definition(), Target.id(head.id()), Due.after(seconds(10))))
        .isTrue();
    Lease other = channel.lease();
    assertThat(labels(other)).containsExactly("b");
    advance(seconds(10));

    channel.assertIdle();

    channel.settle(other, OutcomeSamples.completed());
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_message_that_crashed_is_leased_alone() {
    TestChannel channel = fragile();
    channel.appendAll(message("crashed one"), message("crashed two"));
    channel.lease();
    channel.crash();
    advance(BACKOFF);
    channel.appendAll(message("a"), message("b"), message("c").group("g"));

    List<List<String>> leases = channel.leaseAll().stream().map(TestChannel::labels).toList();

    assertThat(leases).contains(List.of("crashed one"), List.of("crashed two"));
    assertThat(leases.stream().flatMap(List::stream))
        .containsExactlyInAnyOrder("crashed one", "crashed two", "a", "b", "c");
  }

  @Test
  void a_worker_that_fills_its_buffer_gets_no_message_that_crashed() {
    TestChannel channel = fragile();
    channel.appendAll(message("crashed"), message("head").group("g"), message("next").group("g"));
    channel.lease();
    channel.crash();
    advance(BACKOFF);
    channel.append(message("sound"));

    Lease lease = channel.lease(request().withoutPoisonMessages());

    assertThat(labels(lease)).containsExactly("sound");
    assertThat(channel.claim(request().withoutPoisonMessages()).lease()).isNull();
    assertThat(channel.drain()).containsExactlyInAnyOrder("crashed", "head", "next");
  }

  @Test
  void a_message_that_crashed_and_failed_is_still_leased_alone() {
    TestChannel channel = fragile();
    channel.append(message("crashed"));
    channel.lease();
    channel.crash();
    advance(BACKOFF);
    channel.settleNext(OutcomeSamples.retried(Duration.ZERO));
    channel.append(message("sound"));

    assertThat(channel.lease().messages()).hasSize(1);
    assertThat(channel.lease().messages()).hasSize(1);
  }

  @Test
  void at_the_crash_limit_a_message_is_dead_lettered_at_the_claim() {
    TestChannel channel =
        channel(channelDraft().crashLimit(2).crashBackoff(Backoff.fixed(BACKOFF)));
    channel.append(message("a"));
    channel.lease();
    channel.crash();
    advance(BACKOFF);
    assertThat(only(channel.lease()).progress().crashes()).isEqualTo(1);
    channel.crash();
    assertThat(channel.dead()).as("not before the claim").isEmpty();
    advance(BACKOFF);

    Claim claim = channel.claim();

    assertThat(claim.lease()).isNull();
    DeadLetter died = assertDied(claim);
    assertThat(died.error().type()).isEqualTo("crashed");
    assertThat(died.message().progress().crashes()).isEqualTo(2);
    assertThat(died.message().progress().attempts()).isZero();
    assertThat(died.deadLetteredAt()).isEqualTo(now());
    assertThat(channel.deadLetters()).containsExactly(died);
    assertThat(channel.claim().deadLettered()).as("dies once").isEmpty();
  }

  @Test
  void at_the_crash_limit_a_message_is_dead_lettered_at_a_claim_without_poison_messages() {
    TestChannel channel =
        channel(channelDraft().crashLimit(1).crashBackoff(Backoff.fixed(BACKOFF)));
    channel.append(message("a"));
    channel.lease();
    channel.crash();
    advance(BACKOFF);

    Claim claim = channel.claim(request().withoutPoisonMessages());

    assertThat(claim.lease()).isNull();
    assertThat(assertDied(claim).error().type()).isEqualTo("crashed");
    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void without_dead_letters_a_message_at_the_crash_limit_is_reported_and_gone() {
    TestChannel channel = channel(channelDraft().crashLimit(1).withoutDeadLetters());
    channel.append(message("a"));
    channel.lease();
    channel.crash();
    advance(minutes(2));

    assertThat(assertDied(channel.claim()).error().type()).isEqualTo("crashed");
    assertThat(channel.dead()).isEmpty();
    channel.assertIdle();
  }

  @Test
  void a_head_that_dies_of_crashes_lets_its_group_go_on() {
    TestChannel channel = channel(channelDraft().crashLimit(1));
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.lease();
    channel.crash();
    advance(minutes(2));

    Claim first = channel.claim();
    Lease lease = first.lease() == null ? channel.lease() : first.lease();

    assertThat(assertDied(first).id()).isNotNull();
    assertThat(labels(lease)).containsExactly("b");
    assertThat(find(lease, "b").progress().crashes()).isZero();
  }

  private static DeadLetter assertDied(Claim claim) {
    assertThat(claim.deadLettered()).hasSize(1);
    return claim.deadLettered().get(0);
  }
}
