package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 6: on a parking channel a group with a dead head waits for a redrive or a discard. */
abstract class ParkedGroupContract extends StoreTestBase {

  ParkedGroupContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A channel with a group whose first message, "a", is dead and whose second, "b", waits. */
  private TestChannel parked() {
    TestChannel channel = channel(channelDraft().parking());
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.dead());
    return channel;
  }

  @Test
  void a_parked_group_waits_and_others_go_on() {
    TestChannel channel = parked();
    channel.appendAll(message("c").group("g"), message("x").group("h"), message("y"));

    assertThat(channel.drain()).containsExactlyInAnyOrder("x", "y");
    advance(hours(1));
    channel.assertIdle();
  }

  @Test
  void redriving_the_dead_head_resumes_its_group_in_order() {
    TestChannel channel = parked();
    channel.append(message("c").group("g"));

    assertThat(channel.redrive(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void discarding_the_dead_head_resumes_its_group_with_the_next() {
    TestChannel channel = parked();

    assertThat(channel.discard(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void a_head_that_dies_again_parks_its_group_again() {
    TestChannel channel = parked();
    channel.redrive(DeadLetterFilter.all());
    Lease again = channel.lease(1);
    assertThat(labels(again)).containsExactly("a");
    channel.settle(again, OutcomeSamples.dead());

    channel.assertIdle();
    channel.discard(DeadLetterFilter.all());
    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void messages_that_were_leased_behind_the_dead_head_wait_with_the_group() {
    TestChannel channel = channel(channelDraft().parking());
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = channel.lease();
    channel.settle(lease, "a", OutcomeSamples.dead());
    channel.settle(lease, "b", OutcomeSamples.released());

    channel.assertIdle();
    channel.redrive(DeadLetterFilter.all());
    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_that_dies_at_the_claim_parks_its_group() {
    TestChannel channel = channel(channelDraft().parking().crashLimit(1));
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.lease(1);
    channel.crash();
    advance(minutes(2));

    assertThat(channel.claim().deadLettered()).hasSize(1);
    channel.assertIdle();
    assertThat(channel.dead()).containsExactly("a");
    channel.redrive(DeadLetterFilter.all());
    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_that_is_discarded_does_not_park_its_group() {
    TestChannel channel = channel(channelDraft().parking().withoutDeadLetters());
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    channel.settle(channel.lease(1), OutcomeSamples.discarded());

    assertThat(channel.drain()).containsExactly("b");
  }

  @Test
  void a_dead_message_without_a_group_parks_nothing() {
    TestChannel channel = channel(channelDraft().parking());
    channel.appendAll(message("a"), message("b"));
    channel.settle(channel.lease(1), OutcomeSamples.dead());

    assertThat(channel.drain()).hasSize(1);
    assertThat(channel.redrive(DeadLetterFilter.all())).isEqualTo(1);
    assertThat(channel.drain()).hasSize(1);
  }

  @Test
  void a_parked_group_is_one_tenants() {
    TestChannel channel = channel(channelDraft().parking());
    MessageDraft dead = message("a").group("g").tenant("one");
    channel.append(dead);
    channel.settleNext(OutcomeSamples.dead());
    channel.appendAll(
        message("waits").group("g").tenant("one"), message("goes").group("g").tenant("two"));

    assertThat(channel.drain()).containsExactly("goes");
  }

  @Test
  void a_group_with_two_dead_heads_resumes_in_order() {
    TestChannel channel = channel(channelDraft().parking());
    channel.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = channel.lease(2);
    channel.settle(lease, "a", OutcomeSamples.dead());
    channel.settle(lease, "b", OutcomeSamples.dead());

    assertThat(channel.redrive(DeadLetterFilter.all())).isEqualTo(2);
    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }
}
