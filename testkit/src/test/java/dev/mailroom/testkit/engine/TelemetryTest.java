package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.HandlerOptions;
import dev.mailroom.Result;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import dev.mailroom.spi.Telemetry.Span;
import dev.mailroom.spi.Telemetry.Tags;
import dev.mailroom.testkit.engine.RecordingTelemetry.RecordedScope;
import dev.mailroom.testkit.engine.TroubledStore.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TelemetryTest {
  private final Desk desk = Desk.manual();

  private Tags tagsOf(Counter counter) {
    assertThat(desk.telemetry.counts(counter)).as("%s", counter).hasSize(1);
    return desk.telemetry.counts(counter).get(0).tags();
  }

  @Test
  void a_message_is_counted_from_its_write_to_its_completion() {
    desk.handler(delivery -> Result.success());
    desk.write("a");
    desk.worker().run();

    assertThat(tagsOf(Counter.RECEIVED)).isEqualTo(new Tags("notes", null, null));
    assertThat(tagsOf(Counter.LEASED)).isEqualTo(new Tags("notes", null, null));
    assertThat(tagsOf(Counter.COMPLETED)).isEqualTo(new Tags("notes", "note", "note"));
    assertThat(desk.telemetry.values(Measure.BATCH_SIZE)).containsExactly(1L);
  }

  @Test
  void failures_retries_and_deaths_are_counted_per_handler() {
    desk.inbox(
        inbox ->
            inbox.handler(
                String.class,
                delivery ->
                    switch (delivery.payload()) {
                      case "failed" -> Result.fail("no");
                      case "later" -> Result.retryLater(Duration.ofMinutes(1));
                      default -> Result.deadLetter("never");
                    },
                HandlerOptions.builder().name("clerk").build()));
    desk.writeAll("failed", "later", "dead");
    desk.worker().run();

    Tags clerk = new Tags("notes", "note", "clerk");
    assertThat(tagsOf(Counter.FAILED)).isEqualTo(clerk);
    assertThat(tagsOf(Counter.RETRIED)).isEqualTo(clerk);
    assertThat(tagsOf(Counter.DEFERRED)).isEqualTo(clerk);
    assertThat(tagsOf(Counter.DEAD_LETTERED)).isEqualTo(clerk);
  }

  /** A handler with a name worth showing. */
  private static final class Clerk implements Handler<String> {
    @Override
    public Result handle(Delivery<String> delivery) {
      return Result.success();
    }
  }

  @Test
  void a_handler_is_called_by_its_option_or_class_or_contract() {
    desk.handler(new Clerk());
    desk.write("a");
    desk.worker().run();

    assertThat(tagsOf(Counter.COMPLETED).handler()).isEqualTo("Clerk");
  }

  @Test
  void the_trace_context_of_the_write_is_stored_and_continued_by_the_handler() {
    desk.handler(delivery -> Result.success());
    UUID id = desk.write("a", options -> options.correlationId("conversation"));
    RecordedScope writing = desk.telemetry.scopes(Span.RECEIVE).get(0);
    Trace stored = desk.store().find(Desk.CHANNEL, Target.id(id)).message().envelope().trace();
    assertThat(stored)
        .isEqualTo(new Trace("conversation", null, writing.traceParent(), writing.traceState()));

    desk.worker().run();

    RecordedScope handling = desk.telemetry.scopes(Span.HANDLE).get(0);
    assertThat(handling.parent).isEqualTo(stored);
    assertThat(handling.tags).isEqualTo(new Tags("notes", "note", "note"));
    assertThat(List.of(writing, handling)).allMatch(scope -> scope.closed && scope.error == null);
  }

  @Test
  void scopes_are_told_of_errors_and_closed() {
    IOException error = new IOException("no line");
    desk.handler(
        delivery -> {
          throw error;
        });
    desk.write("a");
    desk.worker().run();

    RecordedScope handling = desk.telemetry.scopes(Span.HANDLE).get(0);
    assertThat(handling.error).isSameAs(error);
    assertThat(handling.closed).isTrue();
  }

  @Test
  void a_write_that_fails_is_told_to_its_scope() {
    desk.handler(delivery -> Result.success());
    desk.trouble.fail(Verb.APPEND, 1, () -> new IllegalStateException("no such table"));

    assertThat(catchThrowable(() -> desk.write("a")))
        .isSameAs(desk.telemetry.scopes(Span.RECEIVE).get(0).error)
        .hasMessage("no such table");
    assertThat(desk.telemetry.scopes(Span.RECEIVE).get(0).closed).isTrue();
    assertThat(desk.telemetry.sum(Counter.RECEIVED)).isZero();
  }

  @Test
  void a_batch_of_one_continues_its_trace_and_a_larger_one_belongs_to_none() {
    desk.batchHandler(batch -> batch.allSucceeded());
    desk.write("a");
    desk.worker().run();
    desk.writeAll("b", "c");
    desk.worker().run();

    List<RecordedScope> batches = desk.telemetry.scopes(Span.BATCH);
    assertThat(batches)
        .extracting(scope -> scope.parent.traceParent())
        .containsExactly("parent-0", null);
    assertThat(batches).allMatch(scope -> scope.closed);
  }

  @Test
  void a_handlers_run_is_measured_by_the_injected_clock() {
    desk.handler(
        delivery -> {
          desk.pass(Duration.ofMillis(7));
          return Result.success();
        });
    desk.write("a");
    desk.worker().run();

    assertThat(desk.telemetry.values(Measure.HANDLER_DURATION)).containsExactly(7_000_000L);
  }

  @Test
  void the_depth_of_the_queue_is_told_at_every_sweep() {
    desk.handler(delivery -> Result.success());
    desk.writeAll("a", "b", "c");

    desk.worker().sweep();

    assertThat(desk.telemetry.values(Measure.QUEUE_DEPTH)).containsExactly(3L);
  }
}
