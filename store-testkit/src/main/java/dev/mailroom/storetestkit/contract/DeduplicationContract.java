package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
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
abstract class DeduplicationContract extends Topic {

  DeduplicationContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_second_message_with_a_key_is_a_duplicate_of_the_first() {
    Line line = line();
    AppendResult first = line.append(message("first").key("k"));
    advance(seconds(5));

    AppendResult second = line.append(message("second").key("k"));

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
    assertThat(line.drain()).containsExactly("first");
  }

  private static List<Outcome> outcomes() {
    return List.of(
        Verdict.completed(),
        Verdict.retried(hours(1)),
        Verdict.released(),
        Verdict.dead(),
        Verdict.discarded());
  }

  /** The window is a setting of its own, not the lifetime of the row. */
  @Test
  void a_key_is_remembered_whatever_became_of_its_message() {
    assertThat(outcomes()).allSatisfy(this::assertRemembersItsKeyAfter);
  }

  private void assertRemembersItsKeyAfter(Outcome outcome) {
    Line line = line();
    AppendResult first = line.append(message("first").key("k"));
    line.settleNext(outcome);

    AppendResult second = line.append(message("second").key("k"));

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
  }

  @Test
  void the_key_of_a_leased_message_is_a_duplicate() {
    Line line = line();
    line.append(message("first").key("k"));
    line.lease();

    assertThat(line.append(message("second").key("k")).accepted()).isFalse();
  }

  @Test
  void a_key_is_forgotten_when_its_window_is_over_and_not_before() {
    Line line = line(channel().deduplicationWindow(hours(1)));
    line.append(message("first").key("k"));
    line.drain();

    advance(hours(1).minusMillis(1));
    assertThat(line.append(message("early").key("k")).accepted()).isFalse();
    advance(millis(2));
    assertThat(line.append(message("late").key("k")).accepted()).isTrue();
    assertThat(line.drain()).containsExactly("late");
  }

  @Test
  void a_key_that_is_used_again_starts_a_new_window() {
    Line line = line(channel().deduplicationWindow(hours(1)));
    line.append(message("first").key("k"));
    advance(minutes(61));
    AppendResult second = line.append(message("second").key("k"));
    advance(minutes(59));

    assertThat(line.append(message("third").key("k")))
        .isEqualTo(new AppendResult(second.id(), false, second.acceptedAt()));
  }

  @Test
  void without_a_window_a_key_is_remembered_for_ever() {
    Line line = line(channel().deduplicationWindow(null));
    line.append(message("first").key("k"));
    line.drain();
    advance(Duration.ofDays(36_500));

    assertThat(line.append(message("second").key("k")).accepted()).isFalse();
  }

  @Test
  void keys_are_scoped_by_tenant_and_channel() {
    Line line = line();
    line.append(message("none").key("k"));

    assertThat(line.append(message("one").tenant("one").key("k")).accepted()).isTrue();
    assertThat(line.append(message("two").tenant("two").key("k")).accepted()).isTrue();
    assertThat(line().append(message("elsewhere").key("k")).accepted()).isTrue();
    assertThat(line.append(message("again").tenant("one").key("k")).accepted()).isFalse();
  }

  @Test
  void with_a_window_of_zero_a_key_only_names_the_newest_message() {
    Line line = line(channel().deduplicationWindow(Duration.ZERO));
    line.append(message("first").key("k").delay(hours(1)));

    assertThat(line.append(message("second").key("k").delay(hours(1))).accepted()).isTrue();

    assertThat(store.cancel(line.channel(), Target.key("k"))).isTrue();
    assertThat(store.cancel(line.channel(), Target.key("k"))).isFalse();
    advance(hours(1));
    assertThat(line.drain()).containsExactly("first");
  }

  @Test
  void with_a_window_of_zero_a_key_that_a_batch_repeats_keeps_no_message_away() {
    Line line = line(channel().deduplicationWindow(Duration.ZERO));

    List<AppendResult> results =
        line.appendAll(
            message("first").key("k").delay(hours(1)), message("second").key("k").delay(hours(1)));

    assertThat(results).allMatch(AppendResult::accepted);
    assertThat(store.cancel(line.channel(), Target.key("k"))).isTrue();
    advance(hours(1));
    assertThat(line.drain()).containsExactly("first");
  }

  /** How a timer that has a name is set anew. */
  @Test
  void with_a_window_of_zero_a_message_can_replace_the_one_that_waits_under_its_key() {
    Line line = line(channel().deduplicationWindow(Duration.ZERO));
    line.append(message("first").key("k").collapse("k").delay(hours(1)));
    line.append(message("second").key("k").collapse("k").delay(hours(2)));
    store.purge(line.channel(), Purge.DEDUPLICATION, 100);

    advance(hours(1));
    line.assertIdle();
    assertThat(store.reschedule(line.channel(), Target.key("k"), Due.NOW)).isTrue();
    Lease fired = line.lease();
    line.append(message("third").key("k").collapse("k").delay(hours(1)));
    assertThat(line.settle(fired, Verdict.completed())).isEmpty();

    assertThat(store.cancel(line.channel(), Target.key("k"))).as("the third").isTrue();
    line.assertNextDue(null);
  }

  /** Neither case, nor accents, nor blanks at the end are equal to any database's liking. */
  @Test
  void keys_compare_by_exact_characters() {
    Line line = line();
    List<String> keys = List.of("key", "Key", "key ", " key", "kéy", "ke\u0301y", "%", "_");

    assertThat(keys).allSatisfy(key -> assertAccepted(line, message(key).key(key)));
    assertThat(keys)
        .allSatisfy(key -> assertThat(line.append(message(key).key(key)).accepted()).isFalse());
  }

  @Test
  void a_key_that_a_batch_repeats_is_stored_once() {
    Line line = line();
    MessageDraft first = message("first").key("k");

    List<AppendResult> results = line.appendAll(first, message("second").key("k"));

    assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false);
    assertThat(results).extracting(AppendResult::id).containsOnly(first.id());
    assertThat(line.drain()).containsExactly("first");
  }

  @Test
  void a_duplicate_leaves_nothing_behind() {
    Line line = line();
    MessageDraft first = message("first").key("one");
    line.append(first);
    line.append(message("same id, new key").id(first.id()).key("two"));
    MessageDraft second = message("new id, same key").key("one");
    line.append(second);

    assertAccepted(line, message("the new key is free").key("two"));
    assertAccepted(line, message("the new id is free").id(second.id()));
  }

  @Test
  void a_strict_duplicate_with_the_same_content_is_quiet() {
    Line line = line();
    AppendResult first = line.append(message("same").key("k").header("try", "1"));

    AppendResult second = line.append(message("same").key("k").header("try", "2").strict());

    assertThat(second).isEqualTo(new AppendResult(first.id(), false, first.acceptedAt()));
  }

  @Test
  void a_strict_duplicate_with_other_bytes_is_an_error() {
    Line line = line();
    MessageDraft first = message("first").key("k");
    line.append(first);

    assertConflict(line, message("other").key("k").strict(), first);
    assertConflict(line, message("other").id(first.id()).strict(), first);
    assertThat(line.drain()).containsExactly("first");
  }

  @Test
  void a_strict_duplicate_with_another_contract_is_an_error() {
    Line line = line();
    MessageDraft first = message("same").contract("one", 1).key("k");
    line.append(first);

    assertConflict(line, message("same").contract("two", 1).key("k").strict(), first);
    assertConflict(line, message("same").contract("one", 2).key("k").strict(), first);
  }

  @Test
  void a_strict_conflict_is_found_after_the_first_message_is_gone() {
    Line line = line();
    MessageDraft first = message("first").key("k");
    line.append(first);
    line.drain();

    assertConflict(line, message("other").key("k").strict(), first);
    assertThat(line.append(message("first").key("k").strict()).accepted()).isFalse();
  }

  @Test
  void a_strict_conflict_within_a_batch_is_an_error() {
    Line line = line();

    assertThatThrownBy(
            () -> line.appendAll(message("one").key("k"), message("two").key("k").strict()))
        .isInstanceOf(ConflictingDuplicateException.class);
    line.assertIdle();
  }

  private static void assertAccepted(Line line, MessageDraft draft) {
    assertThat(line.append(draft).accepted()).isTrue();
  }

  private static void assertConflict(Line line, MessageDraft refused, MessageDraft original) {
    assertThatThrownBy(() -> line.append(refused))
        .isInstanceOfSatisfying(
            ConflictingDuplicateException.class,
            conflict -> assertThat(conflict.original()).isEqualTo(original.id()));
  }
}
