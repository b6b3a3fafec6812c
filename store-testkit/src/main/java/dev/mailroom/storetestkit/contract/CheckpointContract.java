package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.find;
import static dev.mailroom.storetestkit.contract.Line.only;
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
abstract class CheckpointContract extends Topic {

  CheckpointContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void checkpoint(Line line, Lease lease, Message message, String step, String outcome) {
    store.checkpoint(line.channel(), new Checkpoint(message.id(), lease.token(), step, outcome));
  }

  private static List<Outcome> returns() {
    return List.of(
        Verdict.retried(Duration.ZERO), Verdict.deferred(Duration.ZERO), Verdict.released());
  }

  @Test
  void a_message_that_comes_back_carries_its_checkpoints() {
    assertThat(returns()).allSatisfy(this::assertCarriesItsCheckpointsAfter);
  }

  private void assertCarriesItsCheckpointsAfter(Outcome outcome) {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    checkpoint(line, lease, only(lease), "charge", "succeeded");
    checkpoint(line, lease, only(lease), "ship", "failed");
    line.settle(lease, outcome);

    assertThat(only(line.lease()).checkpoints())
        .isEqualTo(Map.of("charge", "succeeded", "ship", "failed"));
  }

  @Test
  void a_message_that_crashed_carries_its_checkpoints() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    checkpoint(line, lease, only(lease), "charge", "succeeded");
    line.crash();
    advance(minutes(2));

    assertThat(only(line.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }

  @Test
  void a_dead_letter_shows_its_checkpoints() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    checkpoint(line, lease, only(lease), "charge", "failed");
    line.settle(lease, Verdict.dead());

    assertThat(line.deadLetters().get(0).message().checkpoints())
        .isEqualTo(Map.of("charge", "failed"));
  }

  @Test
  void recording_a_step_again_replaces_its_outcome() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    checkpoint(line, lease, only(lease), "charge", "failed");
    checkpoint(line, lease, only(lease), "charge", "succeeded");
    line.settle(lease, Verdict.released());

    assertThat(only(line.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }

  @Test
  void checkpoints_belong_to_one_message_of_a_lease() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    Lease lease = line.lease();
    checkpoint(line, lease, find(lease, "a"), "charge", "succeeded");
    line.settle(lease, Verdict.released());

    Lease next = line.lease();
    assertThat(find(next, "a").checkpoints()).hasSize(1);
    assertThat(find(next, "b").checkpoints()).isEmpty();
  }

  @Test
  void an_expired_lease_that_nobody_has_reclaimed_still_records() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(hours(1));
    checkpoint(line, lease, only(lease), "charge", "succeeded");
    line.settle(lease, Verdict.released());

    assertThat(only(line.lease()).checkpoints()).isEqualTo(Map.of("charge", "succeeded"));
  }
}
