package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.find;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Progress is kept in the middle of a lease. Its fence and its limit have tests of their own. */
abstract class CheckpointContract extends StoreTestBase {

  CheckpointContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void checkpoint(
      TestChannel channel, Lease lease, Message message, String step, String outcome) {
    store.checkpoint(
        channel.definition(), new Checkpoint(message.id(), lease.token(), step, outcome));
  }

  private static List<Outcome> returns() {
    return List.of(
        OutcomeSamples.retried(Duration.ZERO),
        OutcomeSamples.deferred(Duration.ZERO),
        OutcomeSamples.released());
  }

  @Test
  void a_message_that_comes_back_carries_its_checkpoints() {
    assertThat(returns()).allSatisfy(this::assertCarriesItsCheckpointsAfter);
  }

  private void assertCarriesItsCheckpointsAfter(Outcome outcome) {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    checkpoint(channel, lease, only(lease), "charge", "succeeded");
    checkpoint(channel, lease, only(lease), "ship", "failed");
    channel.settle(lease, outcome);

    assertThat(only(channel.lease()).checkpoints())
        .isEqualTo(Map.of("charge", "succeeded", "ship", "failed"));
  }

  @Test
  void a_message_that_crashed_carries_its_checkpoints() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    checkpoint(channel, lease, only(lease), "charge", "succeeded");
    channel.crash();
    advance(minutes(2));

    assertThat(only(channel.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }

  @Test
  void a_dead_letter_shows_its_checkpoints() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    checkpoint(channel, lease, only(lease), "charge", "failed");
    channel.settle(lease, OutcomeSamples.dead());

    assertThat(channel.deadLetters().get(0).message().checkpoints())
        .isEqualTo(Map.of("charge", "failed"));
  }

  @Test
  void recording_a_step_again_replaces_its_outcome() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    checkpoint(channel, lease, only(lease), "charge", "failed");
    checkpoint(channel, lease, only(lease), "charge", "succeeded");
    channel.settle(lease, OutcomeSamples.released());

    assertThat(only(channel.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }

  @Test
  void checkpoints_belong_to_one_message_of_a_lease() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease lease = channel.lease();
    checkpoint(channel, lease, find(lease, "a"), "charge", "succeeded");
    channel.settle(lease, OutcomeSamples.released());

    Lease next = channel.lease();
    assertThat(find(next, "a").checkpoints()).hasSize(1);
    assertThat(find(next, "b").checkpoints()).isEmpty();
  }

  @Test
  void an_expired_lease_that_is_not_reclaimed_still_records() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(hours(1));
    checkpoint(channel, lease, only(lease), "charge", "succeeded");
    channel.settle(lease, OutcomeSamples.released());

    assertThat(only(channel.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }
}
