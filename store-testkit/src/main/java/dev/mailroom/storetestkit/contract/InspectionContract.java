package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.StateChange;
import dev.mailroom.storetestkit.MessageDraft;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An inspectable store reports the state of every message. */
abstract class InspectionContract extends SearchContract {

  InspectionContract(Callable<StoreFixture> source) {
    super(source);
  }

  private ChannelCounts counts(TestChannel channel) {
    return ((Inspectable) store).counts(channel.definition());
  }

  private static ChannelCounts exactly(
      long ready, long scheduled, long leased, long dead, @Nullable Duration oldestDue) {
    return new ChannelCounts(ready, scheduled, leased, dead, 0, Set.of(), oldestDue);
  }

  private void assertState(TestChannel channel, MessageDraft draft, MessageState state) {
    assertThat(((Inspectable) store).find(channel.definition(), Target.id(draft.id())))
        .isNotNull()
        .satisfies(
            found -> {
              assertThat(found.state()).isEqualTo(state);
              assertThat(found.message().envelope()).isEqualTo(draft.build().envelope());
              assertThat(found.message().channel()).isEqualTo(channel.definition().name());
            });
  }

  private void assertUnknown(TestChannel channel, UUID id) {
    assertThat(((Inspectable) store).find(channel.definition(), Target.id(id))).isNull();
  }

  @Test
  void an_empty_channel_counts_nothing() {
    assertThat(counts(channel())).isEqualTo(exactly(0, 0, 0, 0, null));
  }

  @Test
  void messages_are_counted_by_their_state() {
    TestChannel channel = channel();
    channel.append(message("dead"));
    channel.settleNext(OutcomeSamples.dead());
    channel.append(message("retried"));
    channel.settleNext(OutcomeSamples.retried(hours(1)));
    channel.appendAll(message("leased"), message("leased too"), message("completed"));
    channel.settle(channel.lease(), "completed", OutcomeSamples.completed());
    channel.append(message("scheduled").delay(hours(1)));
    channel.appendAll(message("ready"), message("a").group("g"), message("b").group("g"));
    channel().append(message("elsewhere"));

    assertThat(counts(channel)).isEqualTo(exactly(3, 2, 2, 1, seconds(0)));
  }

  @Test
  void messages_behind_a_waiting_or_leased_head_count_as_ready() {
    TestChannel channel = channel();
    channel.appendAll(message("a1").group("a"), message("a2").group("a"));
    channel.settle(channel.lease(1), OutcomeSamples.retried(hours(1)));
    channel.appendAll(message("b1").group("b"), message("b2").group("b"));
    channel.lease(1);

    ChannelCounts counts = counts(channel);

    assertThat(counts.ready()).isEqualTo(2);
    assertThat(counts.scheduled()).isEqualTo(1);
    assertThat(counts.leased()).isEqualTo(1);
  }

  @Test
  void the_age_of_the_oldest_ready_message_is_measured_from_when_it_was_due() {
    TestChannel channel = channel();
    channel.append(message("delayed").delay(seconds(10)));
    assertThat(counts(channel).oldestDue()).isNull();
    advance(seconds(15));
    channel.append(message("ready"));
    advance(seconds(2));

    assertThat(counts(channel).oldestDue()).isEqualTo(seconds(7));
    channel.drain();
    assertThat(counts(channel).oldestDue()).isNull();
  }

  @Test
  void a_message_is_found_in_every_state() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").group("g").header("h", "v").delay(minutes(1));
    channel.append(draft);
    assertState(channel, draft, MessageState.SCHEDULED);
    advance(minutes(1));
    assertState(channel, draft, MessageState.READY);
    Lease lease = channel.lease();
    assertState(channel, draft, MessageState.LEASED);
    channel.settle(lease, OutcomeSamples.retried(minutes(1)));
    assertState(channel, draft, MessageState.SCHEDULED);
    advance(minutes(1));
    assertState(channel, draft, MessageState.READY);
    channel.settleNext(OutcomeSamples.dead());
    assertState(channel, draft, MessageState.DEAD);
  }

  @Test
  void a_completed_message_is_found_while_it_is_kept_as_history() {
    TestChannel channel = channel(channelDraft().history(hours(1)));
    MessageDraft draft = message("a");
    channel.append(draft);
    channel.drain();

    assertState(channel, draft, MessageState.COMPLETED);
    assertThat(counts(channel)).isEqualTo(new ChannelCounts(0, 0, 0, 0, 1, Set.of(), null));
  }

  @Test
  void a_message_is_found_by_its_deduplication_key() {
    TestChannel channel = channel(channelDraft().history(hours(1)));
    MessageDraft draft = message("a").key("k");
    channel.appendAll(draft, message("b").key("k").tenant("t"), message("c"));

    for (MessageState state : List.of(MessageState.READY, MessageState.LEASED)) {
      assertByKey(channel, draft, state);
      channel.claim();
    }
    channel.crash();
    advance(hours(1));
    channel.drain();
    assertByKey(channel, draft, MessageState.COMPLETED);
    assertThat(byKey(channel, new Target.ByKey("t", "k")))
        .satisfies(found -> assertThat(label(found.message())).isEqualTo("b"));
    assertThat(byKey(channel, Target.key("unknown"))).isNull();
    assertThat(byKey(channel, new Target.ByKey("u", "k"))).isNull();
    assertThat(byKey(channel(), Target.key("k"))).isNull();
  }

  private void assertByKey(TestChannel channel, MessageDraft draft, MessageState state) {
    InspectedMessage found = Objects.requireNonNull(byKey(channel, Target.key("k")));
    assertThat(found.message().id()).isEqualTo(draft.id());
    assertThat(found.state()).isEqualTo(state);
  }

  private @Nullable InspectedMessage byKey(TestChannel channel, Target target) {
    return ((Inspectable) store).find(channel.definition(), target);
  }

  @Test
  void a_key_is_remembered_with_its_message_after_the_message_is_gone() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(2)));
    MessageDraft draft = message("a").key("k");
    channel.appendAll(draft, message("b").key("k").tenant("t"));
    InspectedMessage stored = Objects.requireNonNull(byKey(channel, Target.key("k")));
    Instant acceptedAt = stored.message().timing().createdAt();
    DeduplicationEntry remembered =
        new DeduplicationEntry(draft.id(), acceptedAt, acceptedAt.plus(hours(2)));
    assertThat(key(channel, null, "k")).isEqualTo(remembered);
    advance(hours(1));
    channel.append(message("duplicate").key("k"));
    channel.drain();

    assertThat(byKey(channel, Target.key("k"))).isNull();
    assertThat(key(channel, null, "k")).isEqualTo(remembered);
    assertThat(key(channel, "t", "k")).isNotNull().isNotEqualTo(remembered);
    assertThat(key(channel, "u", "k")).isNull();
    assertThat(key(channel, null, "unknown")).isNull();
    assertThat(key(channel(), null, "k")).isNull();
    advance(hours(1).plusMillis(1));
    store.purge(channel.definition(), Purge.DEDUPLICATION, 100);
    assertThat(key(channel, null, "k")).isNull();
  }

  @Test
  void a_key_that_is_kept_for_ever_has_no_end_and_one_of_a_cancelled_message_is_free() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(null));
    channel.appendAll(message("a").key("kept"), message("b").key("cancelled"));
    store.cancel(channel.definition(), Target.key("cancelled"));

    assertThat(key(channel, null, "kept"))
        .isNotNull()
        .satisfies(remembered -> assertThat(remembered.expiresAt()).isNull());
    assertThat(key(channel, null, "cancelled")).isNull();
  }

  private @Nullable DeduplicationEntry key(
      TestChannel channel, @Nullable String tenant, String key) {
    return ((Inspectable) store).key(channel.definition(), new Target.ByKey(tenant, key));
  }

  @Test
  void a_message_that_is_gone_is_not_found() {
    TestChannel channel = channel();
    MessageDraft completed = message("completed");
    MessageDraft discarded = message("discarded");
    MessageDraft cancelled = message("cancelled");
    channel.appendAll(completed, discarded);
    Lease lease = channel.lease();
    channel.settle(lease, "completed", OutcomeSamples.completed());
    channel.settle(lease, "discarded", OutcomeSamples.discarded());
    channel.append(cancelled);
    store.cancel(channel.definition(), Target.id(cancelled.id()));

    assertUnknown(channel, completed.id());
    assertUnknown(channel, discarded.id());
    assertUnknown(channel, cancelled.id());
    assertUnknown(channel, UUID.randomUUID());
  }

  @Test
  void a_message_is_found_in_its_channel_only() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);

    assertUnknown(channel(), draft.id());
  }

  @Test
  void a_found_message_shows_its_counts_and_checkpoints() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    Lease lease = channel.lease();
    store.checkpoint(
        channel.definition(), new Checkpoint(draft.id(), lease.token(), "step", "done"));

    InspectedMessage found =
        ((Inspectable) store).find(channel.definition(), Target.id(draft.id()));

    Message message = Objects.requireNonNull(found).message();
    assertThat(message.checkpoints()).isEqualTo(Map.of("step", "done"));
    assertThat(message.progress().attempts()).isEqualTo(1);
  }

  private void keep(String type, String key, long version, String value) {
    Payload payload =
        new Payload(
            new Contract("test.state", 7), "text/plain", value.getBytes(StandardCharsets.UTF_8));
    StateChange change = new StateChange(new StateKey(type, key), version, payload);
    store.commit(new Commit(List.of(), List.of(), List.of(), change));
  }

  @Test
  void states_of_a_type_are_listed_page_by_page() {
    String type = "type-" + UUID.randomUUID();
    List<String> keys = List.of("a", "b", "c d", "\u00e9t\u00e9", "Z", "a/b", "7");
    keys.forEach(key -> keep(type, key, 0, "of " + key));
    keep(type + "x", "e", 0, "of another type");

    List<StateEntry> found = new ArrayList<>();
    List<StateEntry> page = ((Inspectable) store).states(type, null, 3);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      found.addAll(page);
      page = ((Inspectable) store).states(type, page.get(page.size() - 1).key().key(), 3);
    }

    assertThat(found)
        .extracting(entry -> entry.key().key())
        .containsExactlyInAnyOrderElementsOf(keys);
    assertThat(found)
        .allSatisfy(
            entry -> assertThat(entry.state()).isEqualTo(store.state(entry.key())).isNotNull());
  }

  @Test
  void a_state_that_was_changed_is_listed_as_it_is_now_and_a_removed_one_is_not() {
    String type = "type-" + UUID.randomUUID();
    keep(type, "changed", 0, "before");
    keep(type, "changed", 1, "after");
    keep(type, "removed", 0, "before");
    StateChange removal = new StateChange(new StateKey(type, "removed"), 1, null);
    store.commit(new Commit(List.of(), List.of(), List.of(), removal));

    assertThat(((Inspectable) store).states(type, null, 10))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.state().version()).isEqualTo(2);
              assertThat(entry.state().value().bytes()).asString().isEqualTo("after");
            });
  }
}
