package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Messages that are handled on the caller's thread. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessPendingTest {
  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    fixture.handler(
        delivery -> {
          handled.add(delivery.payload());
          fixture.pass(EngineFixture.LEASE.dividedBy(2));
          return Result.success();
        });
  }

  @Test
  void everything_that_is_due_is_handled_however_much_it_is() {
    fixture
        .options(options -> options.readBatch(3).delayBetweenReads(Duration.ofHours(1)))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    fixture.writeAll("a", "b", "c", "d", "e", "f", "g", "h");

    assertThat(fixture.mailroom().processPending()).isEqualTo(8);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void what_lies_behind_many_that_wait_for_another_is_handled_too() {
    fixture.options(options -> options.ordering(Ordering.WHEN_KEYED));
    fixture.handler(
        delivery -> {
          handled.add(delivery.payload());
          return delivery.payload().equals("head")
              ? Result.retryLater(Duration.ofDays(1))
              : Result.success();
        });
    fixture.write("head", options -> options.groupKey("g"));
    fixture.mailroom().processPending();
    for (int i = 0; i < 2_500; i++) {
      fixture.write("behind", options -> options.groupKey("g").delay(Duration.ofSeconds(1)));
    }
    fixture.write("other", options -> options.delay(Duration.ofSeconds(2)));
    fixture.pass(Duration.ofSeconds(3));

    assertThat(fixture.mailroom().processPending()).isEqualTo(1);

    assertThat(handled).containsExactly("head", "other");
  }

  @Test
  void messages_are_counted_one_by_one_also_in_the_turn_of_a_group() {
    fixture.options(options -> options.ordering(Ordering.REQUIRED));
    noting();
    fixture.writeGrouped("a1", "a2", "b1", "b2", "b3");

    assertThat(fixture.mailroom().processPending()).isEqualTo(5);
  }

  @Test
  void leases_are_extended_between_messages() {
    noting();
    fixture.writeAll("a", "b", "c", "d");

    assertThat(fixture.mailroom().processPending()).isEqualTo(4);

    assertThat(handled).hasSize(4).doesNotHaveDuplicates();
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void a_lease_that_cannot_be_extended_for_a_moment_does_not_end_it() {
    noting();
    fixture.failing.fail(Verb.EXTEND, 1);
    fixture.writeAll("a", "b", "c");

    fixture.mailroom().processPending();

    assertThat(handled).contains("a", "b", "c");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void an_outcome_that_cannot_be_stored_for_a_moment_is_stored_before_it_returns() {
    fixture.handler(delivery -> Result.success());
    UUID id = fixture.write("a");
    fixture.failing.fail(Verb.SETTLE, 3);

    fixture.mailroom().processPending();

    assertThat(fixture.isGone(id)).isTrue();
  }

  @Test
  void when_it_fails_what_was_not_started_is_given_back() {
    fixture.settings(builder -> builder.telemetry(new BreaksOnce())).handler(d -> Result.success());
    UUID first = fixture.write("a");
    UUID second = fixture.write("b");

    assertThatIllegalStateException().isThrownBy(() -> fixture.mailroom().processPending());

    assertThat(fixture.state(first))
        .as("it is handled again after its lease")
        .isEqualTo(MessageState.LEASED);
    assertThat(fixture.state(second)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(second).attempts()).isZero();
    assertThat(fixture.mailroom().processPending()).isEqualTo(1);
  }

  /** Breaks its promise not to throw, once. */
  private static final class BreaksOnce implements Telemetry {
    private boolean broken;

    @Override
    public void count(Counter counter, Tags tags, long amount) {}

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Scope open(Span span, Tags tags, Trace parent) {
      if (span == Span.HANDLE && !broken) {
        broken = true;
        throw new IllegalStateException("broken");
      }
      return NOOP.open(span, tags, parent);
    }
  }

  @Test
  void the_pause_between_claims_is_kept_whatever_wakes_the_fetcher() {
    Duration pause = Duration.ofSeconds(10);
    fixture
        .options(options -> options.readBatch(1).delayBetweenReads(pause))
        .handler(delivery -> Result.success());
    fixture.writeAll("a", "b");
    ManualEngine worker = fixture.worker();

    assertThat(worker.fetch()).isEqualTo(pause);
    worker.handle();
    worker.settle();
    fixture.pass(Duration.ofSeconds(4));
    assertThat(worker.fetch()).isEqualTo(Duration.ofSeconds(6));
    assertThat(worker.buffered()).isZero();
    fixture.pass(Duration.ofSeconds(6));
    worker.fetch();

    assertThat(worker.buffered()).isEqualTo(1);
  }
}
