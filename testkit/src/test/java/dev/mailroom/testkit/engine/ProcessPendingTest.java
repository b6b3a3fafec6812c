package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.testkit.ManualEngine;
import dev.mailroom.testkit.engine.TroubledStore.Verb;
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
  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    desk.handler(
        delivery -> {
          handled.add(delivery.payload());
          desk.pass(Desk.LEASE.dividedBy(2));
          return Result.success();
        });
  }

  @Test
  void everything_that_is_due_is_handled_however_much_it_is() {
    desk.options(options -> options.readBatch(3).delayBetweenReads(Duration.ofHours(1)))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    desk.writeAll("a", "b", "c", "d", "e", "f", "g", "h");

    assertThat(desk.mailroom().processPending()).isEqualTo(8);
    assertThat(desk.alive()).isZero();
  }

  @Test
  void what_lies_behind_many_that_wait_for_another_is_handled_too() {
    desk.options(options -> options.ordering(Ordering.WHEN_KEYED));
    desk.handler(
        delivery -> {
          handled.add(delivery.payload());
          return delivery.payload().equals("head")
              ? Result.retryLater(Duration.ofDays(1))
              : Result.success();
        });
    desk.write("head", options -> options.groupKey("g"));
    desk.mailroom().processPending();
    for (int i = 0; i < 2_500; i++) {
      desk.write("behind", options -> options.groupKey("g").delay(Duration.ofSeconds(1)));
    }
    desk.write("other", options -> options.delay(Duration.ofSeconds(2)));
    desk.pass(Duration.ofSeconds(3));

    assertThat(desk.mailroom().processPending()).isEqualTo(1);

    assertThat(handled).containsExactly("head", "other");
  }

  @Test
  void messages_are_counted_one_by_one_also_in_the_turn_of_a_group() {
    desk.options(options -> options.ordering(Ordering.REQUIRED));
    noting();
    desk.writeGrouped("a1", "a2", "b1", "b2", "b3");

    assertThat(desk.mailroom().processPending()).isEqualTo(5);
  }

  @Test
  void leases_are_extended_between_messages() {
    noting();
    desk.writeAll("a", "b", "c", "d");

    assertThat(desk.mailroom().processPending()).isEqualTo(4);

    assertThat(handled).hasSize(4).doesNotHaveDuplicates();
    assertThat(desk.alive()).isZero();
  }

  @Test
  void a_lease_that_cannot_be_extended_for_a_moment_does_not_end_it() {
    noting();
    desk.trouble.fail(Verb.EXTEND, 1);
    desk.writeAll("a", "b", "c");

    desk.mailroom().processPending();

    assertThat(handled).contains("a", "b", "c");
    assertThat(desk.alive()).isZero();
  }

  @Test
  void an_outcome_that_cannot_be_stored_for_a_moment_is_stored_before_it_returns() {
    desk.handler(delivery -> Result.success());
    UUID id = desk.write("a");
    desk.trouble.fail(Verb.SETTLE, 3);

    desk.mailroom().processPending();

    assertThat(desk.isGone(id)).isTrue();
  }

  @Test
  void when_it_fails_what_was_not_started_is_given_back() {
    desk.settings(builder -> builder.telemetry(new BreaksOnce())).handler(d -> Result.success());
    UUID first = desk.write("a");
    UUID second = desk.write("b");

    assertThatIllegalStateException().isThrownBy(() -> desk.mailroom().processPending());

    assertThat(desk.state(first))
        .as("it is handled again after its lease")
        .isEqualTo(MessageState.LEASED);
    assertThat(desk.state(second)).isEqualTo(MessageState.READY);
    assertThat(desk.progress(second).attempts()).isZero();
    assertThat(desk.mailroom().processPending()).isEqualTo(1);
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
      return NONE.open(span, tags, parent);
    }
  }

  @Test
  void the_pause_between_claims_is_kept_whatever_wakes_the_fetcher() {
    Duration pause = Duration.ofSeconds(10);
    desk.options(options -> options.readBatch(1).delayBetweenReads(pause))
        .handler(delivery -> Result.success());
    desk.writeAll("a", "b");
    ManualEngine worker = desk.worker();

    assertThat(worker.fetch()).isEqualTo(pause);
    worker.handle();
    worker.settle();
    desk.pass(Duration.ofSeconds(4));
    assertThat(worker.fetch()).isEqualTo(Duration.ofSeconds(6));
    assertThat(worker.buffered()).isZero();
    desk.pass(Duration.ofSeconds(6));
    worker.fetch();

    assertThat(worker.buffered()).isEqualTo(1);
  }
}
