package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
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
abstract class DeadLetterContract extends StoreTestBase {

  DeadLetterContract(Callable<StoreFixture> source) {
    super(source);
  }

  private void kill(TestChannel channel, MessageDraft draft) {
    kill(channel, draft, "test.Failure", "It failed.");
  }

  private void kill(TestChannel channel, MessageDraft draft, String error, String text) {
    channel.append(draft);
    assertThat(channel.settle(channel.lease(), OutcomeSamples.dead(error, text))).isEmpty();
    advance(seconds(1));
  }

  private List<String> matching(TestChannel channel, DeadLetterFilter filter) {
    return store.deadLetters(channel.definition(), filter, null, 100).letters().stream()
        .map(letter -> label(letter.message()))
        .toList();
  }

  @Test
  void they_are_read_oldest_first() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"), message("c"));
    Lease lease = channel.lease();
    for (String label : List.of("b", "c", "a")) {
      channel.settle(lease, label, OutcomeSamples.dead());
      advance(seconds(1));
    }

    assertThat(channel.dead()).containsExactly("b", "c", "a");
  }

  @Test
  void they_are_read_page_by_page_even_when_they_died_together() {
    TestChannel channel = channel();
    for (int i = 0; i < 7; i++) {
      channel.append(message("m" + i));
    }
    channel.settleNext(OutcomeSamples.dead());
    List<String> read = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    String cursor = null;
    do {
      DeadLetterPage page = page(channel, cursor, 3);
      page.letters().forEach(letter -> read.add(label(letter.message())));
      sizes.add(page.letters().size());
      cursor = page.nextCursor();
    } while (cursor != null);

    assertThat(sizes).containsExactly(3, 3, 1);
    assertThat(read).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5", "m6");
  }

  @Test
  void the_last_page_has_no_next_one() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    channel.settleNext(OutcomeSamples.dead());

    assertThat(page(channel, null, 2).nextCursor()).isNull();
    assertThat(page(channel, null, 1).nextCursor()).isNotNull();
    assertThat(page(channel(), null, 1).nextCursor()).isNull();
  }

  @Test
  void a_page_goes_on_where_the_last_one_ended_whatever_became_of_that() {
    TestChannel channel = channel();
    for (int i = 0; i < 4; i++) {
      kill(channel, message("m" + i));
    }
    DeadLetterPage first = page(channel, null, 2);
    channel.discard(DeadLetterFilter.of(first.letters().get(0).id(), first.letters().get(1).id()));

    assertThat(page(channel, first.nextCursor(), 2).letters())
        .extracting(letter -> label(letter.message()))
        .containsExactly("m2", "m3");
  }

  private DeadLetterPage page(TestChannel channel, @Nullable String cursor, int limit) {
    return store.deadLetters(channel.definition(), DeadLetterFilter.all(), cursor, limit);
  }

  @Test
  void they_are_found_by_each_part_of_a_filter() {
    TestChannel channel = channel();
    MessageDraft first = message("first").contract("orders.placed", 2);
    Instant start = now();
    kill(channel, first);
    kill(channel, message("second").tenant("t").group("g"));
    kill(channel, message("third").group("g"), "java.lang.IllegalStateException", "Disk is full");
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(matching(channel, all)).containsExactly("first", "second", "third");
    assertThat(matching(channel, DeadLetterFilter.of(first.id()))).containsExactly("first");
    assertThat(matching(channel, DeadLetterFilter.of(UUID.randomUUID()))).isEmpty();
    assertThat(matching(channel, all.contract("orders.placed"))).containsExactly("first");
    assertThat(matching(channel, all.tenant("t"))).containsExactly("second");
    assertThat(matching(channel, all.groupKey("g"))).containsExactly("second", "third");
    assertThat(matching(channel, all.groupKey("g").tenant("t"))).containsExactly("second");
    assertThat(matching(channel, all.deadLetteredUntil(start.plusSeconds(1))))
        .containsExactly("first", "second");
    assertThat(matching(channel, all.deadLetteredUntil(start.minusMillis(1)))).isEmpty();
  }

  @Test
  void they_are_found_by_a_part_of_the_errors_type_or_message_in_any_case() {
    TestChannel channel = channel();
    kill(channel, message("a"), "java.lang.IllegalStateException", "Disk is 100% full");
    kill(channel, message("b"), "failed", "the DISK_SERVER was away");
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(matching(channel, all.error("illegalstate"))).containsExactly("a");
    assertThat(matching(channel, all.error("disk"))).containsExactly("a", "b");
    assertThat(matching(channel, all.error("0% f"))).containsExactly("a");
    assertThat(matching(channel, all.error("k_s"))).as("no wildcard").containsExactly("b");
    assertThat(matching(channel, all.error("100%full"))).as("no wildcard").isEmpty();
    assertThat(matching(channel, all.error("elsewhere"))).isEmpty();
  }

  @Test
  void a_redriven_message_keeps_its_id_and_checkpoints_and_resets_its_counts() {
    TestChannel channel = channel(channelDraft().crashLimit(1));
    MessageDraft draft = message("a").header("h", "v");
    channel.append(draft);
    channel.settleNext(OutcomeSamples.deferred(Duration.ZERO));
    channel.settleNext(OutcomeSamples.retried(Duration.ZERO));
    Lease lease = channel.lease();
    store.checkpoint(
        channel.definition(), new Checkpoint(draft.id(), lease.token(), "step", "done"));
    channel.crash();
    advance(minutes(2));
    assertThat(channel.claim().deadLettered()).hasSize(1);

    assertThat(channel.redrive(DeadLetterFilter.all())).isEqualTo(1);

    assertThat(channel.dead()).isEmpty();
    Message message = only(channel.lease());
    assertThat(message.envelope()).isEqualTo(draft.build().envelope());
    assertThat(message.checkpoints()).containsExactly(Map.entry("step", "done"));
    Progress progress = message.progress();
    assertThat(progress.attempts()).isEqualTo(1);
    assertThat(progress.crashes()).isZero();
    assertThat(progress.deferrals()).isZero();
  }

  @Test
  void a_redriven_message_is_ready_at_once() {
    TestChannel channel = channel();
    kill(channel, message("a"));
    channel.redrive(DeadLetterFilter.all());

    assertThat(labels(channel.lease())).containsExactly("a");
  }

  @Test
  void an_expired_message_that_is_redriven_does_not_expire_again() {
    TestChannel channel = channel();
    channel.append(message("a").lifetime(minutes(1)));
    advance(minutes(2));
    assertThat(channel.claim().deadLettered()).hasSize(1);

    channel.redrive(DeadLetterFilter.all());

    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void redriving_takes_only_what_the_filter_matches() {
    TestChannel channel = channel();
    kill(channel, message("one").tenant("one"));
    kill(channel, message("two").tenant("two"));

    assertThat(channel.redrive(DeadLetterFilter.all().tenant("two"))).isEqualTo(1);

    assertThat(channel.dead()).containsExactly("one");
    assertThat(channel.drain()).containsExactly("two");
  }

  @Test
  void redriving_takes_the_oldest_and_no_more_than_asked_for() {
    TestChannel channel = channel();
    for (int i = 0; i < 3; i++) {
      kill(channel, message("m" + i));
    }

    assertThat(store.redrive(channel.definition(), DeadLetterFilter.all(), 2)).isEqualTo(2);
    assertThat(channel.dead()).containsExactly("m2");
    assertThat(store.redrive(channel.definition(), DeadLetterFilter.all(), 2)).isEqualTo(1);
    assertThat(store.redrive(channel.definition(), DeadLetterFilter.all(), 2)).isZero();
  }

  @Test
  void redriven_messages_that_no_group_waits_for_join_the_tail_oldest_first() {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"), message("c").group("g"));
    Lease lease = channel.lease(2);
    channel.settle(lease, "b", OutcomeSamples.dead());
    advance(seconds(1));
    channel.settle(lease, "a", OutcomeSamples.dead());

    channel.redrive(DeadLetterFilter.all());
    channel.append(message("d").group("g"));

    assertThat(channel.drain()).containsExactly("c", "b", "a", "d");
  }

  @Test
  void discarding_takes_only_what_the_filter_matches() {
    TestChannel channel = channel();
    kill(channel, message("one").contract("one", 1));
    kill(channel, message("two").contract("two", 1));

    assertThat(channel.discard(DeadLetterFilter.all().contract("one"))).isEqualTo(1);

    assertThat(channel.dead()).containsExactly("two");
    channel.assertIdle();
  }

  @Test
  void discarding_takes_no_more_than_asked_for() {
    TestChannel channel = channel();
    for (int i = 0; i < 3; i++) {
      kill(channel, message("m" + i));
    }

    assertThat(store.discard(channel.definition(), DeadLetterFilter.all(), 2)).isEqualTo(2);
    assertThat(channel.dead()).hasSize(1);
    assertThat(store.discard(channel.definition(), DeadLetterFilter.all(), 2)).isEqualTo(1);
    assertThat(store.discard(channel.definition(), DeadLetterFilter.all(), 2)).isZero();
  }

  @Test
  void other_messages_are_neither_redriven_nor_discarded() {
    TestChannel channel = channel();
    MessageDraft ready = message("ready");
    channel.append(message("leased"));
    Lease lease = channel.lease();
    channel.append(ready);
    DeadLetterFilter filter = DeadLetterFilter.of(ready.id(), only(lease).id());

    assertThat(channel.redrive(filter)).isZero();
    assertThat(channel.discard(filter)).isZero();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactly("ready");
  }

  @Test
  void they_belong_to_their_channel() {
    TestChannel channel = channel();
    kill(channel, message("a"));
    TestChannel other = channel();

    assertThat(other.dead()).isEmpty();
    assertThat(other.redrive(DeadLetterFilter.all())).isZero();
    assertThat(other.discard(DeadLetterFilter.all())).isZero();
    assertThat(channel.dead()).containsExactly("a");
  }
}
