package dev.mailroom.outbox;

import static dev.mailroom.outbox.OutboxFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompositeDispatcherTest {
  private static final EventOptions HERE = EventOptions.builder().topic("here").build();
  private static final EventOptions THERE = EventOptions.builder().topic("there").build();

  private final List<String> calls = new ArrayList<>();
  private final OutboxFixture.RecordingDispatcher here =
      new OutboxFixture.RecordingDispatcher(calls);
  private final RecordingBatchDispatcher there = new RecordingBatchDispatcher(calls);

  private CompositeDispatcher hereAndThere() {
    return CompositeDispatcher.builder().topic("here", here).topic("there", there).build();
  }

  /** The same outbox in a process that knows more topics. */
  private static Outbox newer(OutboxFixture fixture) {
    Outbox newer = Outbox.builder().writeOnly().build();
    Mailroom.builder()
        .store(fixture.store)
        .time(fixture.time)
        .contract(String.class, "test.text", 1)
        .add(newer)
        .build();
    return newer;
  }

  @Test
  void an_event_goes_by_its_topic_else_by_its_contract_else_to_the_rest() {
    OutboxFixture.RecordingDispatcher texts = new OutboxFixture.RecordingDispatcher();
    OutboxFixture.RecordingDispatcher rest = new OutboxFixture.RecordingDispatcher();
    OutboxFixture fixture =
        new OutboxFixture(
            CompositeDispatcher.builder()
                .topic("here", here)
                .contract("test.text", texts)
                .otherwise(rest)
                .build());
    fixture.outbox.add("by topic", HERE);
    fixture.outbox.add("by contract", THERE);
    fixture.outbox.add("by contract too");
    fixture.outbox.add(new byte[] {'x'}, THERE);

    fixture.outbox.processPending();

    assertThat(here.calls).containsExactly("by topic");
    assertThat(texts.calls).containsExactlyInAnyOrder("by contract", "by contract too");
    assertThat(rest.calls).containsExactly("x");
  }

  @Test
  void an_unknown_topic_is_refused_when_the_event_is_added() {
    OutboxFixture fixture =
        new OutboxFixture(
            CompositeDispatcher.builder()
                .topic("here", here)
                .topic("nested", hereAndThere())
                .contract("other", here)
                .build());

    assertThatThrownBy(() -> fixture.outbox.add("lost", options -> options.topic("nowhere")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("topic 'nowhere' and contract 'test.text'")
        .hasMessageContaining("[here, nested]")
        .hasMessageContaining("Nothing was stored");
    assertThatThrownBy(() -> fixture.outbox.add("lost"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("an event without a topic");
    assertThatThrownBy(() -> fixture.outbox.add("lost", options -> options.topic("nested")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("[here, there]");

    assertThat(fixture.open()).isZero();
  }

  @Test
  void one_stored_by_another_version_for_an_unknown_topic_is_parked() {
    OutboxFixture fixture =
        new OutboxFixture(CompositeDispatcher.builder().topic("here", here).build());
    Outbox newer = newer(fixture);
    newer.add("new", options -> options.topic("new topic"));

    fixture.outbox.processPending();

    assertThat(fixture.open()).isEqualTo(1);
    assertThat(fixture.deadLetters()).isEmpty();
    assertThat(calls).isEmpty();
  }

  @Test
  void one_for_an_unknown_topic_is_parked_behind_those_of_its_key_that_came_before() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    Outbox newer = newer(fixture);
    newer.add("1", HERE.toBuilder().key("k").build());
    newer.add("2", THERE.toBuilder().key("k").build());
    newer.add("new", options -> options.topic("new topic").key("k"));
    newer.add("3", HERE.toBuilder().key("k").build());

    fixture.outbox.processPending();

    assertThat(calls).containsExactly("1", "2");
    assertThat(fixture.open()).isEqualTo(2);
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void in_a_batch_every_dispatcher_gets_its_own() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    fixture.outbox.add("a", THERE);
    fixture.outbox.add("b", HERE);
    fixture.outbox.add("c", THERE);
    fixture.outbox.add("d", HERE);

    fixture.outbox.processPending();

    assertThat(calls).containsExactlyInAnyOrder("a c", "b", "d");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void a_dispatcher_that_fails_does_not_fail_the_events_of_another() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    there.error = new IOException("no line");
    here.errors.put("b", new IOException("no line either"));
    fixture.outbox.add("a", THERE);
    fixture.outbox.add("b", HERE);
    fixture.outbox.add("c", HERE);

    fixture.outbox.processPending();
    assertThat(calls).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(fixture.open()).isEqualTo(2);
    there.error = null;
    here.errors.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(calls.subList(3, 5)).containsExactlyInAnyOrder("a", "b");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void events_of_one_key_keep_their_order_across_dispatchers() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    fixture.outbox.add("1", THERE.toBuilder().key("k").build());
    fixture.outbox.add("2", THERE.toBuilder().key("k").build());
    fixture.outbox.add("3", HERE.toBuilder().key("k").build());
    fixture.outbox.add("4", THERE.toBuilder().key("k").build());
    fixture.outbox.add("5", HERE.toBuilder().key("k").build());

    fixture.outbox.processPending();

    assertThat(calls).containsExactly("1 2", "3", "4", "5");
  }

  @Test
  void behind_a_failure_nothing_of_its_key_is_given_to_any_dispatcher() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    there.answers.put("2", Result.fail("no line"));
    here.answers.put("x1", Result.fail("no line"));
    fixture.outbox.add("1", THERE.toBuilder().key("k").build());
    fixture.outbox.add("2", THERE.toBuilder().key("k").build());
    fixture.outbox.add("3", HERE.toBuilder().key("k").build());
    fixture.outbox.add("x1", HERE.toBuilder().key("x").build());
    fixture.outbox.add("x2", HERE.toBuilder().key("x").build());
    fixture.outbox.add("x3", THERE.toBuilder().key("x").build());

    fixture.outbox.processPending();
    assertThat(calls).containsExactlyInAnyOrder("1 2", "x1");
    assertThat(fixture.open()).isEqualTo(5);
    there.answers.clear();
    here.answers.clear();
    calls.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(calls)
        .containsExactlyInAnyOrder("2", "3", "x1", "x2", "x3")
        .containsSubsequence("2", "3")
        .containsSubsequence("x1", "x2", "x3");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void equal_keys_of_two_tenants_do_not_wait_for_each_other() {
    OutboxFixture fixture = new OutboxFixture(hereAndThere());
    here.answers.put("ours", Result.fail("no line"));
    fixture.outbox.add("ours", HERE.toBuilder().key("k").tenant("we").build());
    fixture.outbox.add("theirs", HERE.toBuilder().key("k").tenant("they").build());

    fixture.outbox.processPending();

    assertThat(calls).containsExactlyInAnyOrder("ours", "theirs");
    assertThat(fixture.open()).isEqualTo(1);
  }

  @Test
  void after_a_death_its_key_goes_on_or_waits_as_the_outbox_says() {
    here.answers.put("1", Result.deadLetter("never"));
    OutboxFixture going = new OutboxFixture(hereAndThere());
    going.outbox.add("1", HERE.toBuilder().key("k").build());
    going.outbox.add("2", THERE.toBuilder().key("k").build());
    going.outbox.processPending();
    assertThat(calls).containsExactly("1", "2");
    calls.clear();

    OutboxFixture parking =
        new OutboxFixture(hereAndThere(), options -> options.afterDeadLetter(AfterDeadLetter.PARK));
    parking.outbox.add("1", HERE.toBuilder().key("k").build());
    parking.outbox.add("2", THERE.toBuilder().key("k").build());
    parking.outbox.processPending();
    assertThat(calls).containsExactly("1");
    assertThat(parking.open()).isEqualTo(1);
  }

  @Test
  void without_ordering_a_key_holds_nothing_up() {
    OutboxFixture fixture =
        new OutboxFixture(hereAndThere(), options -> options.ordering(Ordering.NONE));
    here.answers.put("1", Result.fail("no line"));
    fixture.outbox.add("1", HERE.toBuilder().key("k").build());
    fixture.outbox.add("2", HERE.toBuilder().key("k").build());

    fixture.outbox.processPending();

    assertThat(calls).containsExactlyInAnyOrder("1", "2");
    assertThat(fixture.open()).isEqualTo(1);
  }

  @Test
  void routes_that_contradict_each_other_or_lead_nowhere_are_refused() {
    CompositeDispatcher.Builder builder = CompositeDispatcher.builder();
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("routes");
    builder.topic("here", here).contract("test.text", here).otherwise(here);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.topic("here", there))
        .withMessageContaining("two dispatchers for topic 'here'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.contract("test.text", there))
        .withMessageContaining("two dispatchers for contract 'test.text'");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.otherwise(there));
    assertThatThrownBy(() -> builder.topic(" ", there))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("topic is blank");
  }
}
