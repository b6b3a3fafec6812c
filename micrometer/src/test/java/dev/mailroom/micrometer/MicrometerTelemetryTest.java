package dev.mailroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MicrometerTelemetryTest {
  private static final Telemetry.Tags TAGS = new Telemetry.Tags("orders", "order", "ship");

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final MicrometerTelemetry telemetry = new MicrometerTelemetry(registry);

  @Test
  void a_counter_adds_up_per_channel_contract_and_handler() {
    telemetry.count(Telemetry.Counter.DEAD_LETTERED, TAGS, 2);
    telemetry.count(Telemetry.Counter.DEAD_LETTERED, TAGS, 3);
    telemetry.count(Telemetry.Counter.DEAD_LETTERED, new Telemetry.Tags("orders", null, null), 100);

    assertThat(
            registry
                .get("mailroom.dead.lettered")
                .tags("channel", "orders", "contract", "order", "handler", "ship")
                .counter()
                .count())
        .isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource
  void every_counter_is_a_meter_with_the_same_tag_keys(Telemetry.Counter counter) {
    telemetry.count(counter, TAGS, 1);
    telemetry.count(counter, new Telemetry.Tags("orders", null, null), 1);

    Set<Set<String>> keys =
        registry.getMeters().stream()
            .map(Meter::getId)
            .map(id -> id.getTags().stream().map(tag -> tag.getKey()).collect(Collectors.toSet()))
            .collect(Collectors.toSet());

    assertThat(keys).hasSize(1);
    assertThat(registry.getMeters()).hasSize(2);
  }

  @Test
  void durations_are_timers() {
    telemetry.measure(Telemetry.Measure.HANDLER_DURATION, TAGS, 2_000_000);

    assertThat(registry.get("mailroom.handler.duration").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(2);
  }

  @Test
  void refused_requests_name_their_source_and_the_reason() {
    telemetry.count(
        Telemetry.Counter.REQUEST_REFUSED,
        new Telemetry.Tags("webhooks", null, null, "stripe", "BAD_SIGNATURE"),
        1);

    assertThat(
            registry
                .get("mailroom.request.refused")
                .tags("source", "stripe", "reason", "BAD_SIGNATURE")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void what_there_is_at_the_moment_is_a_gauge() {
    telemetry.measure(Telemetry.Measure.QUEUE_DEPTH, TAGS, 7);
    telemetry.measure(Telemetry.Measure.QUEUE_DEPTH, TAGS, 4);
    System.gc(); // the registry holds a gauge only weakly

    assertThat(registry.get("mailroom.queue.depth").gauge().value()).isEqualTo(4);
  }

  @Test
  void sizes_are_summaries() {
    telemetry.measure(Telemetry.Measure.BATCH_SIZE, TAGS, 10);
    telemetry.measure(Telemetry.Measure.BATCH_SIZE, TAGS, 20);

    assertThat(registry.get("mailroom.batch.size").summary().totalAmount()).isEqualTo(30);
  }

  @Test
  void writing_is_timed_by_the_clock_of_the_registry() {
    try (Telemetry.Scope scope = telemetry.open(Telemetry.Span.RECEIVE, TAGS, Trace.NONE)) {
      clock.add(3, TimeUnit.SECONDS);
      assertThat(scope.traceParent()).isNull();
    }

    assertThat(registry.get("mailroom.receive").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(3);
  }

  @Test
  void contracts_beyond_the_limit_share_one_meter() {
    for (int i = 0; i < 10 * MicrometerTelemetry.MAXIMUM_CONTRACTS; i++) {
      telemetry.count(
          Telemetry.Counter.RECEIVED, new Telemetry.Tags("hooks", "type-" + i, null), 1);
    }

    assertThat(registry.getMeters()).hasSize(MicrometerTelemetry.MAXIMUM_CONTRACTS + 1);
    assertThat(registry.get("mailroom.received").tag("contract", "other").counter().count())
        .isEqualTo(9.0 * MicrometerTelemetry.MAXIMUM_CONTRACTS);
    assertThat(registry.get("mailroom.received").tag("contract", "type-0").counter().count())
        .isEqualTo(1);
  }

  @Test
  void a_mailroom_tells_what_became_of_its_messages() {
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .telemetry(telemetry)
            .contract(String.class, "greeting", 1)
            .inbox(
                "greetings",
                inbox ->
                    inbox
                        .options(
                            options -> options.retry(RetryPolicy.builder().attempts(1).build()))
                        .handler(
                            String.class,
                            delivery ->
                                delivery.payload().isEmpty()
                                    ? Result.fail("nothing to say")
                                    : Result.success()))
            .build()) {
      mailroom.inbox("greetings").write("hello");
      mailroom.inbox("greetings").write("");
      mailroom.processPending();
    }

    assertThat(counted("mailroom.received")).isEqualTo(2);
    assertThat(counted("mailroom.completed")).isEqualTo(1);
    assertThat(counted("mailroom.failed")).isEqualTo(1);
    assertThat(counted("mailroom.dead.lettered")).isEqualTo(1);
    assertThat(registry.get("mailroom.handler.duration").timer().count()).isEqualTo(2);
  }

  private double counted(String name) {
    return registry.get(name).counters().stream().mapToDouble(c -> c.count()).sum();
  }
}
