package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.StateChange;
import dev.mailroom.storetestkit.MessageDraft;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Settlements, appends, cancels and a state's new version: all of it or nothing, fenced. */
abstract class CommitContract extends StoreTestBase {
  private final StateKey key = new StateKey("process", UUID.randomUUID().toString());

  CommitContract(Callable<StoreFixture> source) {
    super(source);
  }

  private static Commit.Settlements completing(TestChannel channel, Lease lease) {
    return new Commit.Settlements(
        channel.definition(),
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), OutcomeSamples.completed()))
            .toList());
  }

  private static Commit.Appends appending(TestChannel channel, MessageDraft... drafts) {
    return new Commit.Appends(
        channel.definition(), Stream.of(drafts).map(MessageDraft::build).toList());
  }

  private static Payload value(String text) {
    return new Payload(
        new Contract("test.state", 7), "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private Commit changing(StateKey which, long version, @Nullable Payload value) {
    return new Commit(List.of(), List.of(), List.of(), new StateChange(which, version, value));
  }

  /**
   * A lease on "trigger", a message "cancelled" to cancel, and everything a commit can do to both.
   */
  private final class Scene {
    final TestChannel from = channel();
    final TestChannel to = channel();
    final MessageDraft cancelled = message("cancelled").delay(hours(1));
    final MessageDraft first = message("first").key("first");
    final Lease lease;

    Scene() {
      from.append(message("trigger"));
      lease = from.lease();
      to.append(cancelled);
    }

    Commit commit(MessageDraft... more) {
      MessageDraft[] drafts =
          Stream.concat(Stream.of(first), Stream.of(more)).toArray(MessageDraft[]::new);
      return new Commit(
          List.of(completing(from, lease)),
          List.of(appending(to, drafts)),
          List.of(new Commit.Cancel(to.definition(), Target.id(cancelled.id()))),
          new StateChange(key, 0, value("one")));
    }

    void assertNothingHappenedExcept(@Nullable StoredState state) {
      assertThat(store.state(key)).as("state").isEqualTo(state);
      to.assertIdle();
      assertThat(to.append(first).accepted()).as("the key is free").isTrue();
      advance(hours(1));
      assertThat(to.drain()).containsExactlyInAnyOrder("first", "cancelled");
    }
  }

  @Test
  void a_commit_does_all_of_it() {
    Scene scene = new Scene();
    MessageDraft second = message("second");

    List<AppendResult> results = store.commit(scene.commit(second));

    assertThat(results).extracting(AppendResult::id).containsExactly(scene.first.id(), second.id());
    assertThat(scene.to.drain()).containsExactlyInAnyOrder("first", "second");
    assertThat(store.state(key)).isEqualTo(new StoredState(1, value("one")));
    advance(hours(2));
    assertThat(scene.from.reclaim()).as("the trigger is settled").isZero();
    scene.to.assertIdle();
  }

  @Test
  void with_a_lost_lease_a_commit_does_nothing() {
    Scene scene = new Scene();
    scene.from.settle(scene.lease, OutcomeSamples.released());

    assertThatThrownBy(() -> store.commit(scene.commit()))
        .isInstanceOfSatisfying(
            LeaseLostException.class,
            lost -> assertThat(lost.messages()).containsExactly(only(scene.lease).id()));

    scene.assertNothingHappenedExcept(null);
    assertThat(scene.from.drain()).containsExactly("trigger");
  }

  @Test
  void with_one_lost_lease_of_many_a_commit_settles_none() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease lost = channel.lease(1);
    Lease held = channel.lease(1);
    channel.settle(lost, OutcomeSamples.completed());

    assertThatThrownBy(
            () ->
                store.commit(
                    new Commit(
                        List.of(completing(channel, held), completing(channel, lost)),
                        List.of(),
                        List.of(),
                        null)))
        .isInstanceOf(LeaseLostException.class);

    assertThat(channel.settle(held, OutcomeSamples.completed())).as("still held").isEmpty();
  }

  @Test
  void with_another_version_of_the_state_a_commit_does_nothing() {
    Scene scene = new Scene();
    store.commit(changing(key, 0, value("of another writer")));

    assertThatThrownBy(() -> store.commit(scene.commit()))
        .isInstanceOf(VersionConflictException.class);

    scene.assertNothingHappenedExcept(new StoredState(1, value("of another writer")));
    assertThat(scene.from.settle(scene.lease, OutcomeSamples.completed()))
        .as("still held")
        .isEmpty();
  }

  @Test
  void with_a_conflicting_append_a_commit_does_nothing() {
    Scene scene = new Scene();
    scene.to.append(message("original").key("taken"));
    scene.to.drain();

    assertThatThrownBy(() -> store.commit(scene.commit(message("other").key("taken").strict())))
        .isInstanceOf(ConflictingDuplicateException.class);

    scene.assertNothingHappenedExcept(null);
    assertThat(scene.from.settle(scene.lease, OutcomeSamples.completed()))
        .as("still held")
        .isEmpty();
  }

  @Test
  void with_an_invalid_append_a_commit_does_nothing() {
    Scene scene = new Scene();
    TestChannel strict = channel(channelDraft().ordering(Ordering.REQUIRED));
    Commit valid = scene.commit();
    Commit invalid =
        new Commit(
            valid.settlements(),
            List.of(valid.appends().get(0), appending(strict, message("no group"))),
            valid.cancels(),
            valid.state());

    assertThatThrownBy(() -> store.commit(invalid)).isInstanceOf(InvalidMessageException.class);

    scene.assertNothingHappenedExcept(null);
    assertThat(scene.from.settle(scene.lease, OutcomeSamples.completed()))
        .as("still held")
        .isEmpty();
  }

  @Test
  void a_commit_spans_channels_and_its_results_are_in_order() {
    TestChannel one = channel();
    TestChannel two = channel();
    MessageDraft known = message("known").key("k");
    two.append(known);
    MessageDraft a = message("a");
    MessageDraft b = message("b");

    List<AppendResult> results =
        store.commit(
            new Commit(
                List.of(),
                List.of(appending(one, a), appending(two, message("again").key("k"), b)),
                List.of(),
                null));

    assertThat(results).extracting(AppendResult::id).containsExactly(a.id(), known.id(), b.id());
    assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false, true);
    assertThat(one.drain()).containsExactly("a");
    assertThat(two.drain()).containsExactlyInAnyOrder("known", "b");
  }

  @Test
  void a_commit_passes_over_cancels_of_what_is_leased_or_gone() {
    TestChannel channel = channel();
    channel.append(message("leased").key("k"));
    Lease lease = channel.lease();

    store.commit(
        new Commit(
            List.of(),
            List.of(appending(channel, message("new"))),
            List.of(
                new Commit.Cancel(channel.definition(), Target.key("k")),
                new Commit.Cancel(channel.definition(), Target.id(UUID.randomUUID()))),
            null));

    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactly("new");
  }

  @Test
  void an_empty_commit_is_nothing() {
    assertThat(store.commit(new Commit(List.of(), List.of(), List.of(), null))).isEmpty();
  }

  @Test
  void an_unknown_state_is_none() {
    assertThat(store.state(key)).isNull();
  }

  @Test
  void a_state_grows_version_by_version() {
    store.commit(changing(key, 0, value("one")));
    assertThat(store.state(key)).isEqualTo(new StoredState(1, value("one")));
    store.commit(changing(key, 1, value("two")));
    assertThat(fixture.another().state(key)).isEqualTo(new StoredState(2, value("two")));
  }

  @Test
  void a_state_at_another_version_is_a_conflict() {
    assertConflict(changing(key, 1, value("there is none")));
    store.commit(changing(key, 0, value("one")));

    assertConflict(changing(key, 0, value("there is one")));
    assertConflict(changing(key, 2, value("too new")));
    assertConflict(changing(key, 2, null));
    assertThat(store.state(key)).isEqualTo(new StoredState(1, value("one")));
  }

  private void assertConflict(Commit commit) {
    assertThatThrownBy(() -> store.commit(commit)).isInstanceOf(VersionConflictException.class);
  }

  @Test
  void a_removed_state_can_be_created_again() {
    store.commit(changing(key, 0, value("one")));
    store.commit(changing(key, 1, null));
    assertThat(store.state(key)).isNull();

    store.commit(changing(key, 0, value("again")));
    assertThat(store.state(key)).isEqualTo(new StoredState(1, value("again")));
  }

  @Test
  void states_are_distinguished_by_type_and_exact_key() {
    StateKey other = new StateKey("other", key.key());
    StateKey upper = new StateKey("process", key.key() + "A");
    StateKey lower = new StateKey("process", key.key() + "a");
    store.commit(changing(key, 0, value("one")));
    store.commit(changing(other, 0, value("two")));
    store.commit(changing(upper, 0, value("three")));

    assertThat(store.state(key)).isEqualTo(new StoredState(1, value("one")));
    assertThat(store.state(other)).isEqualTo(new StoredState(1, value("two")));
    assertThat(store.state(lower)).isNull();
  }
}
