package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.label;
import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters are read, found, redriven and discarded. */
abstract class DeadLetterContract extends Topic {

  DeadLetterContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void kill(Line line, MessageDraft draft) {
    kill(line, draft, "test.Failure", "It failed.");
  }

  private void kill(Line line, MessageDraft draft, String error, String text) {
    line.append(draft);
    assertThat(line.settle(line.lease(), Verdict.dead(error, text))).isEmpty();
    advance(seconds(1));
  }

  private List<String> matching(Line line, DeadLetterFilter filter) {
    return store.deadLetters(line.channel(), filter, null, 100).letters().stream()
        .map(letter -> label(letter.message()))
        .toList();
  }

  @Test
  void they_are_read_oldest_death_first() {
    Line line = line();
    line.appendAll(message("a"), message("b"), message("c"));
    Lease lease = line.lease();
    for (String label : List.of("b", "c", "a")) {
      line.settle(lease, label, Verdict.dead());
      advance(seconds(1));
    }

    assertThat(line.dead()).containsExactly("b", "c", "a");
  }

  @Test
  void they_are_read_page_by_page_even_when_they_died_together() {
    Line line = line();
    for (int i = 0; i < 7; i++) {
      line.append(message("m" + i));
    }
    line.settleNext(Verdict.dead());
    List<String> read = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    String cursor = null;
    do {
      DeadLetterPage page = page(line, cursor, 3);
      page.letters().forEach(letter -> read.add(label(letter.message())));
      sizes.add(page.letters().size());
      cursor = page.nextCursor();
    } while (cursor != null);

    assertThat(sizes).containsExactly(3, 3, 1);
    assertThat(read).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5", "m6");
  }

  @Test
  void the_last_page_has_no_next_one() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    line.settleNext(Verdict.dead());

    assertThat(page(line, null, 2).nextCursor()).isNull();
    assertThat(page(line, null, 1).nextCursor()).isNotNull();
    assertThat(page(line(), null, 1).nextCursor()).isNull();
  }

  @Test
  void a_page_goes_on_where_the_last_one_ended_whatever_became_of_that() {
    Line line = line();
    for (int i = 0; i < 4; i++) {
      kill(line, message("m" + i));
    }
    DeadLetterPage first = page(line, null, 2);
    line.discard(DeadLetterFilter.of(first.letters().get(0).id(), first.letters().get(1).id()));

    assertThat(page(line, first.nextCursor(), 2).letters())
        .extracting(letter -> label(letter.message()))
        .containsExactly("m2", "m3");
  }

  private DeadLetterPage page(Line line, @Nullable String cursor, int limit) {
    return store.deadLetters(line.channel(), DeadLetterFilter.all(), cursor, limit);
  }

  @Test
  void they_are_found_by_each_part_of_a_filter() {
    Line line = line();
    MessageDraft first = message("first").contract("orders.placed", 2);
    Instant start = now();
    kill(line, first);
    kill(line, message("second").tenant("t").group("g"));
    kill(line, message("third").group("g"), "java.lang.IllegalStateException", "Disk is full");
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(matching(line, all)).containsExactly("first", "second", "third");
    assertThat(matching(line, DeadLetterFilter.of(first.id()))).containsExactly("first");
    assertThat(matching(line, DeadLetterFilter.of(UUID.randomUUID()))).isEmpty();
    assertThat(matching(line, all.contract("orders.placed"))).containsExactly("first");
    assertThat(matching(line, all.tenant("t"))).containsExactly("second");
    assertThat(matching(line, all.groupKey("g"))).containsExactly("second", "third");
    assertThat(matching(line, all.groupKey("g").tenant("t"))).containsExactly("second");
    assertThat(matching(line, all.deadLetteredUntil(start.plusSeconds(1))))
        .containsExactly("first", "second");
    assertThat(matching(line, all.deadLetteredUntil(start.minusMillis(1)))).isEmpty();
  }

  @Test
  void they_are_found_by_a_part_of_the_errors_type_or_message_in_any_case() {
    Line line = line();
    kill(line, message("a"), "java.lang.IllegalStateException", "Disk is 100% full");
    kill(line, message("b"), "failed", "the DISK_SERVER was away");
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(matching(line, all.error("illegalstate"))).containsExactly("a");
    assertThat(matching(line, all.error("disk"))).containsExactly("a", "b");
    assertThat(matching(line, all.error("0% f"))).containsExactly("a");
    assertThat(matching(line, all.error("k_s"))).as("no wildcard").containsExactly("b");
    assertThat(matching(line, all.error("100%full"))).as("no wildcard").isEmpty();
    assertThat(matching(line, all.error("elsewhere"))).isEmpty();
  }

  @Test
  void a_redriven_message_starts_anew_with_its_id_and_its_checkpoints() {
    Line line = line(channel().crashLimit(1));
    MessageDraft draft = message("a").header("h", "v");
    line.append(draft);
    line.settleNext(Verdict.deferred(Duration.ZERO));
    line.settleNext(Verdict.retried(Duration.ZERO));
    Lease lease = line.lease();
    store.checkpoint(line.channel(), new Checkpoint(draft.id(), lease.token(), "step", "done"));
    line.crash();
    advance(minutes(2));
    assertThat(line.claim().died()).hasSize(1);

    assertThat(line.redrive(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(line.dead()).isEmpty();
    Message message = only(line.lease());
    assertThat(message.envelope()).isEqualTo(draft.build().envelope());
    assertThat(message.checkpoints()).containsExactly(Map.entry("step", "done"));
    Progress progress = message.progress();
    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.crashes()).isZero();
    assertThat(progress.deferrals()).isZero();
  }

  @Test
  void a_redriven_message_is_ready_at_once() {
    Line line = line();
    kill(line, message("a"));
    line.redrive(DeadLetterFilter.all());

    assertThat(labels(line.lease())).containsExactly("a");
  }

  @Test
  void an_expired_message_that_is_redriven_does_not_expire_again() {
    Line line = line();
    line.append(message("a").lifetime(minutes(1)));
    advance(minutes(2));
    assertThat(line.claim().died()).hasSize(1);

    line.redrive(DeadLetterFilter.all());

    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void redriving_takes_only_what_the_filter_matches() {
    Line line = line();
    kill(line, message("one").tenant("one"));
    kill(line, message("two").tenant("two"));

    assertThat(line.redrive(DeadLetterFilter.all().tenant("two"))).isEqualTo(1);

    assertThat(line.dead()).containsExactly("one");
    assertThat(line.drain()).containsExactly("two");
  }

  @Test
  void redriving_takes_the_oldest_deaths_and_no_more_than_asked_for() {
    Line line = line();
    for (int i = 0; i < 3; i++) {
      kill(line, message("m" + i));
    }

    assertThat(store.redrive(line.channel(), DeadLetterFilter.all(), 2)).isEqualTo(2);
    assertThat(line.dead()).containsExactly("m2");
    assertThat(store.redrive(line.channel(), DeadLetterFilter.all(), 2)).isEqualTo(1);
    assertThat(store.redrive(line.channel(), DeadLetterFilter.all(), 2)).isZero();
  }

  @Test
  void redriven_messages_that_no_group_waits_for_join_the_tail_oldest_death_first() {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = line.lease(2);
    line.settle(lease, "b", Verdict.dead());
    advance(seconds(1));
    line.settle(lease, "a", Verdict.dead());

    line.redrive(DeadLetterFilter.all());
    line.append(message("d").group("g"));

    assertThat(line.drain()).containsExactly("c", "b", "a", "d");
  }

  @Test
  void discarding_takes_only_what_the_filter_matches() {
    Line line = line();
    kill(line, message("one").contract("one", 1));
    kill(line, message("two").contract("two", 1));

    assertThat(line.discard(DeadLetterFilter.all().contract("one"))).isEqualTo(1);

    assertThat(line.dead()).containsExactly("two");
    line.assertIdle();
  }

  @Test
  void discarding_takes_no_more_than_asked_for() {
    Line line = line();
    for (int i = 0; i < 3; i++) {
      kill(line, message("m" + i));
    }

    assertThat(store.discard(line.channel(), DeadLetterFilter.all(), 2)).isEqualTo(2);
    assertThat(line.dead()).hasSize(1);
    assertThat(store.discard(line.channel(), DeadLetterFilter.all(), 2)).isEqualTo(1);
    assertThat(store.discard(line.channel(), DeadLetterFilter.all(), 2)).isZero();
  }

  @Test
  void other_messages_are_neither_redriven_nor_discarded() {
    Line line = line();
    MessageDraft ready = message("ready");
    line.append(message("leased"));
    Lease lease = line.lease();
    line.append(ready);
    DeadLetterFilter filter = DeadLetterFilter.of(ready.id(), only(lease).id());

    assertThat(line.redrive(filter)).isZero();
    assertThat(line.discard(filter)).isZero();
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    assertThat(line.drain()).containsExactly("ready");
  }

  @Test
  void they_belong_to_their_channel() {
    Line line = line();
    kill(line, message("a"));
    Line other = line();

    assertThat(other.dead()).isEmpty();
    assertThat(other.redrive(DeadLetterFilter.all())).isZero();
    assertThat(other.discard(DeadLetterFilter.all())).isZero();
    assertThat(line.dead()).containsExactly("a");
  }
}
