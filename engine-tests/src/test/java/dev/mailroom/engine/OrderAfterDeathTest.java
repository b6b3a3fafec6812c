package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.InboxBuilder;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a group whose head was dead-lettered, for both kinds of handlers. */
class OrderAfterDeathTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Result DEAD = Result.deadLetter("never");

  /** How messages get to their handler. */
  enum Kind {
    SINGLE,
    BATCHED
  }

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();
  private final Map<String, Result> next = new HashMap<>();

  private Result handle(Delivery<String> delivery) {
    handled.add(delivery.payload());
    Result result = next.remove(delivery.payload());
    return result == null ? Result.success() : result;
  }

  private BatchResult handleAll(Batch<String> batch) {
    BatchResult results = batch.results();
    batch.deliveries().forEach(delivery -> results.add(delivery, handle(delivery)));
    return results;
  }

  private void ordered(Kind kind, AfterDeadLetter afterDeadLetter) {
    Consumer<InboxBuilder> handler =
        kind == Kind.SINGLE
            ? inbox -> inbox.handler(String.class, this::handle)
            : inbox -> inbox.batchHandler(String.class, this::handleAll);
    fixture
        .options(
            options ->
                options
                    .ordering(Ordering.REQUIRED)
                    .afterDeadLetter(afterDeadLetter)
                    .crashes(1, Backoff.fixed(SECOND)))
        .inbox(handler);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("After the head is dead-lettered: continue (default)")
  void continues(Kind kind) {
    ordered(kind, AfterDeadLetter.CONTINUE);
    next.put("a1", DEAD);
    fixture.writeGrouped("a1", "a2", "a3");

    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a2", "a3");
    assertThat(fixture.deadLetters()).hasSize(1);
    assertThat(fixture.alive()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "After the head is dead-lettered: a dead letter redriven after continue joins the tail")
  void redrivenAfterContinue(Kind kind) {
    ordered(kind, AfterDeadLetter.CONTINUE);
    next.put("a1", DEAD);
    fixture.writeGrouped("a1");
    fixture.worker().run();
    fixture.writeGrouped("a2", "a3");

    assertThat(fixture.inbox().deadLetters().redrive(DeadLetterFilter.all())).isEqualTo(1);
    fixture.writeGrouped("a4");
    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a2", "a3", "a1", "a4");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("After the head is dead-lettered: park, the group waits; others go on")
  void parks(Kind kind) {
    ordered(kind, AfterDeadLetter.PARK);
    next.put("a2", DEAD);
    fixture.writeGrouped("a1", "a2", "a3", "b1");

    fixture.worker().run();
    fixture.pass(Duration.ofDays(1));
    fixture.writeGrouped("a4", "b2");
    fixture.worker().run();

    List<String> expected =
        kind == Kind.SINGLE
            ? List.of("a1", "a2", "b1", "b2")
            : List.of("a1", "a2", "a3", "b1", "b2"); // a3 was in the batch that failed at a2
    assertThat(handled).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(fixture.counts().ready()).as("a3 and a4 wait").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "After the head is dead-lettered: park, redriving the head resumes the group in order")
  void redrivenAfterPark(Kind kind) {
    ordered(kind, AfterDeadLetter.PARK);
    next.put("a1", DEAD);
    fixture.writeGrouped("a1", "a2", "a3");
    fixture.worker().run();
    fixture.writeGrouped("a4");
    handled.clear();

    assertThat(fixture.inbox().deadLetters().redrive(DeadLetterFilter.all())).isEqualTo(1);
    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a2", "a3", "a4");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "After the head is dead-lettered: park, skipping the head resumes the group with the next")
  void skippedAfterPark(Kind kind) {
    ordered(kind, AfterDeadLetter.PARK);
    next.put("a1", DEAD);
    fixture.writeGrouped("a1", "a2", "a3");
    fixture.worker().run();
    handled.clear();

    DeadLetterFilter head = DeadLetterFilter.of(fixture.deadLetter().id());
    assertThat(fixture.inbox().deadLetters().discard(head)).isEqualTo(1);
    fixture.worker().run();

    assertThat(handled).containsExactly("a2", "a3");
    assertThat(fixture.alive()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "After the head is dead-lettered for its crashes at the claim: park holds, continue goes on")
  void headIsDeadLetteredAtTheClaim(Kind kind) {
    for (AfterDeadLetter afterDeadLetter : AfterDeadLetter.values()) {
      ordered(kind, afterDeadLetter);
      String group = afterDeadLetter == AfterDeadLetter.PARK ? "p" : "c";
      fixture.writeGrouped(group + "1", group + "2");
      fixture.worker().fetch(); // and dies
      fixture.pass(LEASE);
      ManualEngine other = fixture.worker();
      other.reclaim();
      fixture.pass(SECOND);
      other.run();
    }

    assertThat(handled).containsExactly("c2");
    assertThat(fixture.deadLetters()).hasSize(2);
  }
}
