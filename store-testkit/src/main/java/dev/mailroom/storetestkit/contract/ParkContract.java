package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 6: where a channel parks, a group whose head has died waits until someone decides. */
abstract class ParkContract extends Topic {

  ParkContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** A line with a group whose first message, "a", has died and whose second, "b", waits. */
  private Line parked() {
    Line line = line(channel().parking());
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.settle(line.lease(1), Verdict.dead());
    return line;
  }

  @Test
  void a_parked_group_waits_and_others_go_on() {
    Line line = parked();
    line.appendAll(message("c").group("g"), message("x").group("h"), message("y"));

    assertThat(line.drain()).containsExactlyInAnyOrder("x", "y");
    advance(hours(1));
    line.assertIdle();
  }

  @Test
  void redriving_the_dead_head_resumes_its_group_in_order() {
    Line line = parked();
    line.append(message("c").group("g"));

    assertThat(line.redrive(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void discarding_the_dead_head_resumes_its_group_with_the_next() {
    Line line = parked();

    assertThat(line.discard(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void a_head_that_dies_again_parks_its_group_again() {
    Line line = parked();
    line.redrive(DeadLetterFilter.all());
    Lease again = line.lease(1);
    assertThat(labels(again)).containsExactly("a");
    line.settle(again, Verdict.dead());

    line.assertIdle();
    line.discard(DeadLetterFilter.all());
    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void messages_that_were_leased_behind_the_dead_head_wait_with_the_group() {
    Line line = line(channel().parking());
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease lease = line.lease();
    line.settle(lease, "a", Verdict.dead());
    line.settle(lease, "b", Verdict.released());

    line.assertIdle();
    line.redrive(DeadLetterFilter.all());
    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_that_dies_at_the_claim_parks_its_group() {
    Line line = line(channel().parking().crashLimit(1));
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.lease(1);
    line.crash();
    advance(minutes(2));

    assertThat(line.claim().died()).hasSize(1);
    line.assertIdle();
    assertThat(line.dead()).containsExactly("a");
    line.redrive(DeadLetterFilter.all());
    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void a_head_that_is_discarded_does_not_park_its_group() {
    Line line = line(channel().parking().withoutDeadLetters());
    line.appendAll(message("a").group("g"), message("b").group("g"));
    line.settle(line.lease(1), Verdict.discarded());

    assertThat(line.drain()).containsExactly("b");
  }

  @Test
  void a_dead_message_without_a_group_parks_nothing() {
    Line line = line(channel().parking());
    line.appendAll(message("a"), message("b"));
    line.settle(line.lease(1), Verdict.dead());

    assertThat(line.drain()).hasSize(1);
    assertThat(line.redrive(DeadLetterFilter.all())).isEqualTo(1);
    assertThat(line.drain()).hasSize(1);
  }

  @Test
  void a_parked_group_is_one_tenants() {
    Line line = line(channel().parking());
    MessageDraft dead = message("a").group("g").tenant("one");
    line.append(dead);
    line.settleNext(Verdict.dead());
    line.appendAll(
        message("waits").group("g").tenant("one"), message("goes").group("g").tenant("two"));

    assertThat(line.drain()).containsExactly("goes");
  }

  @Test
  void a_group_with_two_dead_heads_resumes_in_order() {
    Line line = line(channel().parking());
    line.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = line.lease(2);
    line.settle(lease, "a", Verdict.dead());
    line.settle(lease, "b", Verdict.dead());

    assertThat(line.redrive(DeadLetterFilter.all())).isEqualTo(2);
    assertThat(line.drain()).containsExactly("a", "b", "c");
  }
}
