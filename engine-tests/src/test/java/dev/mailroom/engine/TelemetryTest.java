package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.HandlerOptions;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.engine.RecordingTelemetry.RecordedScope;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import dev.mailroom.spi.Telemetry.Span;
import dev.mailroom.spi.Telemetry.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TelemetryTest {
  private final EngineFixture fixture = EngineFixture.manual();

  private Tags tagsOf(Counter counter) {
    assertThat(fixture.telemetry.counts(counter)).as("%s", counter).hasSize(1);
    return fixture.telemetry.counts(counter).get(0).tags();
  }

  @Test
  void a_message_is_counted_from_its_write_to_its_completion() {
    fixture.handler(delivery -> Result.success());
    fixture.write("a");
    fixture.worker().run();

    assertThat(tagsOf(Counter.RECEIVED)).isEqualTo(new Tags("notes", null, null));
    assertThat(tagsOf(Counter.LEASED)).isEqualTo(new Tags("notes", null, null));
    assertThat(tagsOf(Counter.COMPLETED)).isEqualTo(new Tags("notes", "note", "note"));
    assertThat(fixture.telemetry.values(Measure.BATCH_SIZE)).containsExactly(1L);
  }

  @Test
  void failures_retries_and_deaths_are_counted_per_handler() {
    fixture.inbox(
        inbox ->
            inbox.handler(
                String.class,
                delivery ->
                    switch (delivery.payload()) {
                      case "failed" -> Result.fail("no");
                      case "later" -> Result.retryLater(Duration.ofMinutes(1));
                      default -> Result.deadLetter("never");
                    },
                HandlerOptions.builder().name("handler").build()));
    fixture.writeAll("failed", "later", "dead");
    fixture.worker().run();

    Tags handler = new Tags("notes", "note", "handler");
    assertThat(tagsOf(Counter.FAILED)).isEqualTo(handler);
    assertThat(tagsOf(Counter.RETRIED)).isEqualTo(handler);
    assertThat(tagsOf(Counter.DEFERRED)).isEqualTo(handler);
    assertThat(tagsOf(Counter.DEAD_LETTERED)).isEqualTo(handler);
  }

  /** A handler with a name worth showing. */
  private static final class ScopedHandler implements Handler<String> {
    @Override
    public Result handle(Delivery<String> delivery) {
      return Result.success();
    }
  }

  @Test
  void a_handler_is_called_by_its_option_or_class_or_contract() {
    fixture.handler(new ScopedHandler());
    fixture.write("a");
    fixture.worker().run();

    assertThat(tagsOf(Counter.COMPLETED).handler()).isEqualTo("ScopedHandler");
  }

  @Test
  void the_trace_context_of_the_write_is_stored_and_continued_by_the_handler() {
    fixture.handler(delivery -> Result.success());
    UUID id = fixture.write("a", options -> options.correlationId("conversation"));
    RecordedScope writing = fixture.telemetry.scopes(Span.RECEIVE).get(0);
    Trace stored =
        fixture.store().find(EngineFixture.CHANNEL, Target.id(id)).message().envelope().trace();
    assertThat(stored)
        .isEqualTo(new Trace("conversation", null, writing.traceParent(), writing.traceState()));

    fixture.worker().run();

    RecordedScope handling = fixture.telemetry.scopes(Span.HANDLE).get(0);
    assertThat(handling.parent).isEqualTo(stored);
    assertThat(handling.tags).isEqualTo(new Tags("notes", "note", "note"));
    assertThat(List.of(writing, handling)).allMatch(scope -> scope.closed && scope.error == null);
  }

  @Test
  void scopes_get_errors_and_are_closed() {
    IOException error = new IOException("no line");
    fixture.handler(
        delivery -> {
          throw error;
        });
    fixture.write("a");
    fixture.worker().run();

    RecordedScope handling = fixture.telemetry.scopes(Span.HANDLE).get(0);
    assertThat(handling.error).isSameAs(error);
    assertThat(handling.closed).isTrue();
  }

  @Test
  void a_write_that_fails_is_reported_to_its_scope() {
    fixture.handler(delivery -> Result.success());
    fixture.failing.fail(Verb.APPEND, 1, () -> new IllegalStateException("no such table"));

    assertThat(catchThrowable(() -> fixture.write("a")))
        .isSameAs(fixture.telemetry.scopes(Span.RECEIVE).get(0).error)
        .hasMessage("no such table");
    assertThat(fixture.telemetry.scopes(Span.RECEIVE).get(0).closed).isTrue();
    assertThat(fixture.telemetry.sum(Counter.RECEIVED)).isZero();
  }

  @Test
  void a_batch_of_one_continues_its_trace_and_a_larger_one_belongs_to_none() {
    fixture.batchHandler(batch -> batch.allSucceeded());
    fixture.write("a");
    fixture.worker().run();
    fixture.writeAll("b", "c");
    fixture.worker().run();

    List<RecordedScope> batches = fixture.telemetry.scopes(Span.BATCH);
    assertThat(batches)
        .extracting(scope -> scope.parent.traceParent())
        .containsExactly("parent-0", null);
    assertThat(batches).allMatch(scope -> scope.closed);
  }

  @Test
  void a_handlers_run_is_measured_by_the_injected_clock() {
    fixture.handler(
        delivery -> {
          fixture.pass(Duration.ofMillis(7));
          return Result.success();
        });
    fixture.write("a");
    fixture.worker().run();

    assertThat(fixture.telemetry.values(Measure.HANDLER_DURATION)).containsExactly(7_000_000L);
  }

  @Test
  void the_depth_of_the_queue_is_reported_at_every_sweep() {
    fixture.handler(delivery -> Result.success());
    fixture.writeAll("a", "b", "c");

    fixture.worker().sweep();

    assertThat(fixture.telemetry.values(Measure.QUEUE_DEPTH)).containsExactly(3L);
  }
}
