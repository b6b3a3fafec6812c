package dev.mailroom.testkit.contract;

import static dev.mailroom.testkit.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Message;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Inspectable.Counts;
import dev.mailroom.spi.Inspectable.Found;
import dev.mailroom.spi.Inspectable.State;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Target;
import dev.mailroom.testkit.MessageDraft;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A store that can be looked into tells the truth about every message. */
abstract class InspectionContract extends Topic {

  InspectionContract(Callable<StoreFixture> source) {
    super(source);
  }

  private Counts counts(Line line) {
    return ((Inspectable) store).counts(line.channel());
  }

  private void assertState(Line line, MessageDraft draft, State state) {
    assertThat(((Inspectable) store).find(line.channel(), draft.id()))
        .isNotNull()
        .satisfies(
            found -> {
              assertThat(found.state()).isEqualTo(state);
              assertThat(found.message().envelope()).isEqualTo(draft.build().envelope());
              assertThat(found.message().channel()).isEqualTo(line.channel().name());
            });
  }

  private void assertUnknown(Line line, UUID id) {
    assertThat(((Inspectable) store).find(line.channel(), id)).isNull();
  }

  @Test
  void an_empty_channel_counts_nothing() {
    assertThat(counts(line())).isEqualTo(new Counts(0, 0, 0, 0, null));
  }

  @Test
  void messages_are_counted_by_their_state() {
    Line line = line();
    line.append(message("dead"));
    line.settleNext(Verdict.dead());
    line.append(message("retried"));
    line.settleNext(Verdict.retried(hours(1)));
    line.appendAll(message("leased"), message("leased too"), message("completed"));
    line.settle(line.lease(), "completed", Verdict.completed());
    line.append(message("scheduled").delay(hours(1)));
    line.appendAll(message("ready"), message("a").group("g"), message("b").group("g"));
    line().append(message("elsewhere"));

    assertThat(counts(line)).isEqualTo(new Counts(3, 2, 2, 1, seconds(0)));
  }

  @Test
  void messages_behind_a_waiting_or_leased_head_count_as_ready() {
    Line line = line();
    line.appendAll(message("a1").group("a"), message("a2").group("a"));
    line.settle(line.lease(1), Verdict.retried(hours(1)));
    line.appendAll(message("b1").group("b"), message("b2").group("b"));
    line.lease(1);

    Counts counts = counts(line);

    assertThat(counts.ready()).isEqualTo(2);
    assertThat(counts.scheduled()).isEqualTo(1);
    assertThat(counts.leased()).isEqualTo(1);
  }

  @Test
  void the_age_of_the_oldest_ready_message_is_measured_from_when_it_was_due() {
    Line line = line();
    line.append(message("delayed").delay(seconds(10)));
    assertThat(counts(line).oldestDue()).isNull();
    advance(seconds(15));
    line.append(message("ready"));
    advance(seconds(2));

    assertThat(counts(line).oldestDue()).isEqualTo(seconds(7));
    line.drain();
    assertThat(counts(line).oldestDue()).isNull();
  }

  @Test
  void a_message_is_found_in_every_state() {
    Line line = line();
    MessageDraft draft = message("a").group("g").header("h", "v").delay(minutes(1));
    line.append(draft);
    assertState(line, draft, State.SCHEDULED);
    advance(minutes(1));
    assertState(line, draft, State.READY);
    Lease lease = line.lease();
    assertState(line, draft, State.LEASED);
    line.settle(lease, Verdict.retried(minutes(1)));
    assertState(line, draft, State.SCHEDULED);
    advance(minutes(1));
    assertState(line, draft, State.READY);
    line.settleNext(Verdict.dead());
    assertState(line, draft, State.DEAD);
  }

  @Test
  void a_completed_message_is_found_while_it_is_kept_as_history() {
    Line line = line(channel().history(hours(1)));
    MessageDraft draft = message("a");
    line.append(draft);
    line.drain();

    assertState(line, draft, State.COMPLETED);
    assertThat(counts(line)).isEqualTo(new Counts(0, 0, 0, 0, null));
  }

  @Test
  void a_message_that_is_gone_is_not_found() {
    Line line = line();
    MessageDraft completed = message("completed");
    MessageDraft discarded = message("discarded");
    MessageDraft cancelled = message("cancelled");
    line.appendAll(completed, discarded);
    Lease lease = line.lease();
    line.settle(lease, "completed", Verdict.completed());
    line.settle(lease, "discarded", Verdict.discarded());
    line.append(cancelled);
    store.cancel(line.channel(), Target.id(cancelled.id()));

    assertUnknown(line, completed.id());
    assertUnknown(line, discarded.id());
    assertUnknown(line, cancelled.id());
    assertUnknown(line, UUID.randomUUID());
  }

  @Test
  void a_message_is_found_in_its_channel_only() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);

    assertUnknown(line(), draft.id());
  }

  @Test
  void a_found_message_shows_its_counts_and_checkpoints() {
    Line line = line();
    MessageDraft draft = message("a");
    line.append(draft);
    Lease lease = line.lease();
    store.checkpoint(line.channel(), new Checkpoint(draft.id(), lease.token(), "step", "done"));

    Found found = ((Inspectable) store).find(line.channel(), draft.id());

    Message message = Objects.requireNonNull(found).message();
    assertThat(message.checkpoints()).isEqualTo(Map.of("step", "done"));
    assertThat(message.progress().attempts()).isEqualTo(1);
  }
}
