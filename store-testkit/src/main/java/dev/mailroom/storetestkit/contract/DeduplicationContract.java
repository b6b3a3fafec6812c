package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Purge;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Rule 4: append and deduplication are one step, and the answer names the first message. */
abstract class DeduplicationContract extends StoreTestBase {

  DeduplicationContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_second_message_with_a_key_is_a_duplicate_of_the_first() {
    TestChannel channel = channel();
    AppendResult first = channel.append(message("first").key("k"));
    advance(seconds(5));

    AppendResult second = channel.append(message("second").key("k"));

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
    assertThat(channel.drain()).containsExactly("first");
  }

  private static List<Outcome> outcomes() {
    return List.of(
        OutcomeSamples.completed(),
        OutcomeSamples.retried(hours(1)),
        OutcomeSamples.released(),
        OutcomeSamples.dead(),
        OutcomeSamples.discarded());
  }

  /** The window is a setting of its own, not the lifetime of the row. */
  @Test
  void a_key_is_remembered_whatever_became_of_its_message() {
    assertThat(outcomes()).allSatisfy(this::assertRemembersItsKeyAfter);
  }

  private void assertRemembersItsKeyAfter(Outcome outcome) {
    TestChannel channel = channel();
    AppendResult first = channel.append(message("first").key("k"));
    channel.settleNext(outcome);

    AppendResult second = channel.append(message("second").key("k"));

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
  }

  @Test
  void the_key_of_a_leased_message_is_a_duplicate() {
    TestChannel channel = channel();
    channel.append(message("first").key("k"));
    channel.lease();

    assertThat(channel.append(message("second").key("k")).accepted()).isFalse();
  }

  @Test
  void a_key_is_forgotten_when_its_window_is_over_and_not_before() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(1)));
    channel.append(message("first").key("k"));
    channel.drain();

    advance(hours(1).minusMillis(1));
    assertThat(channel.append(message("early").key("k")).accepted()).isFalse();
    advance(millis(2));
    assertThat(channel.append(message("late").key("k")).accepted()).isTrue();
    assertThat(channel.drain()).containsExactly("late");
  }

  @Test
  void a_key_that_is_used_again_starts_a_new_window() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(hours(1)));
    channel.append(message("first").key("k"));
    advance(minutes(61));
    AppendResult second = channel.append(message("second").key("k"));
    advance(minutes(59));

    assertThat(channel.append(message("third").key("k")))
        .isEqualTo(new AppendResult(second.id(), false, second.acceptedAt()));
  }

  @Test
  void without_a_window_a_key_is_remembered_for_ever() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(null));
    channel.append(message("first").key("k"));
    channel.drain();
    advance(Duration.ofDays(36_500));

    assertThat(channel.append(message("second").key("k")).accepted()).isFalse();
  }

  @Test
  void keys_are_scoped_by_tenant_and_channel() {
    TestChannel channel = channel();
    channel.append(message("none").key("k"));

    assertThat(channel.append(message("one").tenant("one").key("k")).accepted()).isTrue();
    assertThat(channel.append(message("two").tenant("two").key("k")).accepted()).isTrue();
    assertThat(channel().append(message("elsewhere").key("k")).accepted()).isTrue();
    assertThat(channel.append(message("again").tenant("one").key("k")).accepted()).isFalse();
  }

  @Test
  void with_a_window_of_zero_a_key_only_names_the_newest_message() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(Duration.ZERO));
    channel.append(message("first").key("k").delay(hours(1)));

    assertThat(channel.append(message("second").key("k").delay(hours(1))).accepted()).isTrue();

    assertThat(store.cancel(channel.definition(), Target.key("k"))).isTrue();
    assertThat(store.cancel(channel.definition(), Target.key("k"))).isFalse();
    advance(hours(1));
    assertThat(channel.drain()).containsExactly("first");
  }

  @Test
  void with_a_window_of_zero_a_key_that_a_batch_repeats_keeps_no_message_away() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(Duration.ZERO));

    List<AppendResult> results =
        channel.appendAll(
            message("first").key("k").delay(hours(1)), message("second").key("k").delay(hours(1)));

    assertThat(results).allMatch(AppendResult::accepted);
    assertThat(store.cancel(channel.definition(), Target.key("k"))).isTrue();
    advance(hours(1));
    assertThat(channel.drain()).containsExactly("first");
  }

  /** How a named timer is replaced. */
  @Test
  void with_a_window_of_zero_a_message_can_replace_the_one_that_waits_under_its_key() {
    TestChannel channel = channel(channelDraft().deduplicationWindow(Duration.ZERO));
    channel.append(message("first").key("k").collapse("k").delay(hours(1)));
    channel.append(message("second").key("k").collapse("k").delay(hours(2)));
    store.purge(channel.definition(), Purge.DEDUPLICATION, 100);

    advance(hours(1));
    channel.assertIdle();
    assertThat(store.reschedule(channel.definition(), Target.key("k"), Due.NOW)).isTrue();
    Lease fired = channel.lease();
    channel.append(message("third").key("k").collapse("k").delay(hours(1)));
    assertThat(channel.settle(fired, OutcomeSamples.completed())).isEmpty();

    assertThat(store.cancel(channel.definition(), Target.key("k"))).as("the third").isTrue();
    channel.assertNextDue(null);
  }

  /** Neither case, nor accents, nor blanks at the end are equal to any database's liking. */
  @Test
  void keys_compare_by_exact_characters() {
    TestChannel channel = channel();
    List<String> keys = List.of("key", "Key", "key ", " key", "kéy", "ke\u0301y", "%", "_");

    assertThat(keys).allSatisfy(key -> assertAccepted(channel, message(key).key(key)));
    assertThat(keys)
        .allSatisfy(key -> assertThat(channel.append(message(key).key(key)).accepted()).isFalse());
  }

  @Test
  void a_key_that_a_batch_repeats_is_stored_once() {
    TestChannel channel = channel();
    MessageDraft first = message("first").key("k");

    List<AppendResult> results = channel.appendAll(first, message("second").key("k"));

    assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false);
    assertThat(results).extracting(AppendResult::id).containsOnly(first.id());
    assertThat(channel.drain()).containsExactly("first");
  }

  @Test
  void a_duplicate_leaves_nothing_behind() {
    TestChannel channel = channel();
    MessageDraft first = message("first").key("one");
    channel.append(first);
    channel.append(message("same id, new key").id(first.id()).key("two"));
    MessageDraft second = message("new id, same key").key("one");
    channel.append(second);

    assertAccepted(channel, message("the new key is free").key("two"));
    assertAccepted(channel, message("the new id is free").id(second.id()));
  }

  @Test
  void a_strict_duplicate_with_the_same_content_is_no_error() {
    TestChannel channel = channel();
    AppendResult first = channel.append(message("same").key("k").header("try", "1"));

    AppendResult second = channel.append(message("same").key("k").header("try", "2").strict());

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
  }

  @Test
  void a_strict_duplicate_with_other_bytes_is_an_error() {
    TestChannel channel = channel();
    MessageDraft first = message("first").key("k");
    channel.append(first);

    assertConflict(channel, message("other").key("k").strict(), first);
    assertConflict(channel, message("other").id(first.id()).strict(), first);
    assertThat(channel.drain()).containsExactly("first");
  }

  @Test
  void a_strict_duplicate_with_another_contract_is_an_error() {
    TestChannel channel = channel();
    MessageDraft first = message("same").contract("one", 1).key("k");
    channel.append(first);

    assertConflict(channel, message("same").contract("two", 1).key("k").strict(), first);
    assertConflict(channel, message("same").contract("one", 2).key("k").strict(), first);
  }

  @Test
  void a_strict_conflict_is_found_after_the_first_message_is_gone() {
    TestChannel channel = channel();
    MessageDraft first = message("first").key("k");
    channel.append(first);
    channel.drain();

    assertConflict(channel, message("other").key("k").strict(), first);
    assertThat(channel.append(message("first").key("k").strict()).accepted()).isFalse();
  }

  @Test
  void a_strict_conflict_within_a_batch_is_an_error() {
    TestChannel channel = channel();

    assertThatThrownBy(
            () -> channel.appendAll(message("one").key("k"), message("two").key("k").strict()))
        .isInstanceOf(ConflictingDuplicateException.class);
    channel.assertIdle();
  }

  private static void assertAccepted(TestChannel channel, MessageDraft draft) {
    assertThat(channel.append(draft).accepted()).isTrue();
  }

  private static void assertConflict(
      TestChannel channel, MessageDraft refused, MessageDraft original) {
    assertThatThrownBy(() -> channel.append(refused))
        .isInstanceOfSatisfying(
            ConflictingDuplicateException.class,
            conflict -> assertThat(conflict.original()).isEqualTo(original.id()));
  }
}
