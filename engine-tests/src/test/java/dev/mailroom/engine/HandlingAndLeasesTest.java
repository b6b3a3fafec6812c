package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of what becomes of a message, continued: where its lease or its worker is lost. */
class HandlingAndLeasesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private Result noted(Delivery<String> delivery) {
    handled.add(delivery.payload() + "#" + delivery.attempt());
    return Result.success();
  }

  @Test
  @DisplayName("process dies: leased again after expiry and a back-off; a crash, no attempt; alone")
  void processDies() {
    fixture.handler(this::noted);
    UUID id = fixture.write("a");
    fixture.write("b");
    fixture.worker().fetch(); // and is never heard of again
    ManualEngine other = fixture.worker();

    fixture.pass(LEASE.minusMillis(1));
    assertThat(other.reclaim()).isZero();
    fixture.pass(Duration.ofMillis(1));
    assertThat(other.reclaim()).isEqualTo(1);

    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(fixture.progress(id).crashes()).isEqualTo(1);
    assertThat(fixture.delay(id)).isEqualTo(SECOND);
    assertThat(other.run()).isZero();
    fixture.pass(SECOND);
    fixture.write("healthy");
    other.fetch();
    assertThat(other.buffered()).as("a poison message is leased alone").isEqualTo(1);
    other.run();
    assertThat(handled).containsExactlyInAnyOrder("a#1", "b#1", "healthy#1");
    assertThat(fixture.telemetry.sum(Counter.RECLAIMED)).isEqualTo(1);
  }

  @Test
  @DisplayName("process dies: a limit of its own, after which it is dead at the claim")
  void crashLimit() {
    fixture.options(options -> options.crashes(3, Backoff.fixed(SECOND))).handler(this::noted);
    fixture.write("poison");

    for (int crash = 1; crash <= 3; crash++) {
      ManualEngine dying = fixture.worker();
      dying.fetch();
      assertThat(dying.buffered()).as("before crash %s", crash).isEqualTo(1);
      fixture.pass(LEASE);
      assertThat(fixture.worker().reclaim()).isEqualTo(1);
      fixture.pass(SECOND);
    }
    ManualEngine last = fixture.worker();
    assertThat(last.run()).isZero();

    assertThat(handled).isEmpty();
    DeadLetter letter = fixture.deadLetter();
    assertThat(letter.error().type()).isEqualTo("crashed");
    assertThat(letter.message().progress().crashes()).isEqualTo(3);
    assertThat(letter.message().progress().attempts()).isZero();
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
  }

  @Test
  @DisplayName("process dies: what it held comes back also where there is always more to do")
  void poisonMessagesDoNotStarve() {
    fixture.options(options -> options.concurrency(1).readBatch(10)).handler(this::noted);
    fixture.write("poison");
    fixture.worker().fetch(); // and is never heard of again
    fixture.pass(LEASE);
    ManualEngine worker = fixture.worker();
    assertThat(worker.reclaim()).isEqualTo(1);
    for (int i = 0; i < 4_000; i++) {
      fixture.write("other");
    }

    for (int i = 0; i < 3_000 && !handled.contains("poison#1"); i++) {
      worker.fetch();
      worker.handle();
      worker.settle();
      fixture.pass(Duration.ofMillis(1));
    }

    assertThat(handled).contains("poison#1").hasSizeGreaterThan(100);
  }

  @Test
  @DisplayName("lease lost while running: outcome refused and counted; the context tells")
  void leaseLost() {
    List<Boolean> told = new ArrayList<>();
    List<ManualEngine> workers = new ArrayList<>();
    fixture.handler(
        delivery -> {
          noted(delivery);
          told.add(delivery.isLeaseLost());
          if (handled.size() == 1) {
            fixture.pass(LEASE); // this process was asleep
            assertThat(workers.get(1).reclaim()).isEqualTo(1);
            workers.get(0).extendLeases();
            told.add(delivery.isLeaseLost());
            return Result.deadLetter("must be refused");
          }
          return Result.success();
        });
    workers.add(fixture.worker());
    workers.add(fixture.worker());
    UUID id = fixture.write("a");

    workers.get(0).run();

    assertThat(told).containsExactly(false, true);
    assertThat(fixture.telemetry.sum(Counter.LEASE_LOST)).isEqualTo(1);
    assertThat(workers.get(0).holdsLeases()).isFalse();
    assertThat(fixture.deadLetters()).isEmpty();
    fixture.pass(SECOND);
    workers.get(1).run();
    assertThat(fixture.isGone(id)).isTrue();
    assertThat(handled).containsExactly("a#1", "a#1");
  }

  @Test
  @DisplayName("lease lost before it was started: dropped, for another worker has it")
  void leaseLostBeforeStart() {
    fixture.handler(this::noted);
    fixture.write("a");
    ManualEngine slow = fixture.worker();
    slow.fetch();
    fixture.pass(LEASE);
    ManualEngine other = fixture.worker();
    other.reclaim();
    slow.extendLeases();

    assertThat(slow.handle()).isTrue();

    assertThat(handled).isEmpty();
    assertThat(slow.holdsLeases()).isFalse();
    fixture.pass(SECOND);
    assertThat(other.run()).isEqualTo(1);
  }

  @Test
  @DisplayName("outcome could not be stored: retried until the lease ends")
  void outcomeStoredLater() {
    fixture.handler(this::noted);
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();
    fixture.failing.fail(Verb.SETTLE, 3);

    worker.run();
    assertThat(fixture.state(id)).isEqualTo(MessageState.LEASED);
    while (worker.holdsLeases()) {
      fixture.pass(SECOND);
      worker.settle();
    }

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.telemetry.sum(Counter.SETTLE_FAILED)).isZero();
    assertThat(handled).containsExactly("a#1");
  }

  @Test
  @DisplayName("outcome could not be stored: then another worker takes it")
  void outcomeNeverStored() {
    fixture.handler(this::noted);
    UUID id = fixture.write("a");
    ManualEngine cutOff = fixture.worker();
    fixture.failing.breakDown(Verb.SETTLE);
    cutOff.run();
    fixture.pass(LEASE);
    cutOff.settle();

    assertThat(cutOff.holdsLeases()).isFalse();
    assertThat(fixture.telemetry.sum(Counter.SETTLE_FAILED)).isEqualTo(1);
    fixture.failing.heal();
    ManualEngine other = fixture.worker();
    assertThat(other.reclaim()).isEqualTo(1);
    fixture.pass(SECOND);
    other.run();
    assertThat(handled).containsExactly("a#1", "a#1");
    assertThat(fixture.isGone(id)).isTrue();
  }

  @Test
  @DisplayName("outcome could not be stored: in order, what comes behind it waits for it")
  void outcomeNeverStoredInOrder() {
    List<ManualEngine> workers = new ArrayList<>();
    fixture
        .options(options -> options.ordering(Ordering.REQUIRED))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              if (delivery.payload().equals("b") && handled.size() == 2) {
                fixture.failing.breakDown(Verb.SETTLE);
                workers.get(0).settle(); // fails, and is to be retried
                fixture.pass(LEASE);
                workers.get(0).settle(); // too late
                fixture.failing.heal();
                workers.get(0).extendLeases(); // would extend the lease, which was not reclaimed
              }
              return Result.success();
            });
    for (String text : List.of("a", "b", "c")) {
      fixture.write(text, options -> options.groupKey("g"));
    }
    workers.add(fixture.worker());

    workers.get(0).run();
    fixture.pass(LEASE);
    workers.get(0).reclaim();
    while (fixture.alive() > 0) {
      fixture.pass(SECOND);
      workers.get(0).run();
    }

    assertThat(handled).startsWith("a", "b", "a").containsSubsequence("a", "b", "a", "b", "c");
  }

  @Test
  @DisplayName("outcome could not be stored: one bad outcome does not hold up its neighbours")
  void oneBadOutcome() {
    fixture.handler(this::noted);
    UUID first = fixture.write("a");
    UUID second = fixture.write("b");
    ManualEngine worker = fixture.worker();
    fixture.failing.fail(Verb.SETTLE, 2, () -> new IllegalStateException("cannot be stored"));

    worker.run();

    assertThat(fixture.isGone(first)).as("given up after it failed together and alone").isFalse();
    assertThat(fixture.isGone(second)).isTrue();
    assertThat(worker.holdsLeases()).isFalse();
    assertThat(fixture.telemetry.sum(Counter.SETTLE_FAILED)).isEqualTo(1);
  }

  @Test
  @DisplayName("outcome could not be stored: in order, a bad one holds up what comes behind it")
  void oneBadOutcomeInOrder() {
    fixture.options(options -> options.ordering(Ordering.REQUIRED)).handler(this::noted);
    for (String text : List.of("a", "b", "c")) {
      fixture.write(text, options -> options.groupKey("g"));
    }
    ManualEngine worker = fixture.worker();
    fixture.failing.fail(Verb.SETTLE, 2, () -> new IllegalStateException("cannot be stored"));

    worker.run();
    assertThat(fixture.alive()).isEqualTo(3);
    fixture.pass(LEASE);
    worker.reclaim();
    while (fixture.alive() > 0) {
      fixture.pass(SECOND);
      worker.run();
    }

    assertThat(handled.stream().map(text -> text.substring(0, 1)))
        .containsSubsequence("a", "b", "c", "a", "b", "c");
  }

  @Test
  @DisplayName("a worker that fails outside of any handler: counts as a crash, others go on")
  void workerFails() {
    fixture.settings(builder -> builder.telemetry(new BrokenTelemetry())).handler(this::noted);
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();

    worker.fetch();
    assertThatIllegalStateException().isThrownBy(worker::handle);

    assertThat(worker.holdsLeases()).as("it is not extended for ever").isFalse();
    fixture.pass(LEASE);
    assertThat(worker.reclaim()).isEqualTo(1);
    assertThat(fixture.progress(id).crashes()).isEqualTo(1);
  }

  @Test
  @DisplayName("telemetry that breaks after a success: the worker does not hang")
  void telemetryFails() {
    fixture
        .settings(builder -> builder.telemetry(new TelemetryWithoutScopes()))
        .handler(this::noted);
    fixture.write("a");
    ManualEngine worker = fixture.worker();

    worker.fetch();
    assertThatIllegalStateException().isThrownBy(worker::handle);

    assertThat(handled).containsExactly("a#1");
    assertThat(worker.holdsLeases()).isFalse();
  }

  /** Breaks its promise not to throw, when a handler is about to be called. */
  private static final class BrokenTelemetry implements Telemetry {
    @Override
    public void count(Counter counter, Tags tags, long amount) {}

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Scope open(Span span, Tags tags, Trace parent) {
      if (span == Span.HANDLE) {
        throw new IllegalStateException("broken");
      }
      return NOOP.open(span, tags, parent);
    }
  }

  /** Breaks its promise not to throw, when a handler has been called. */
  private static final class TelemetryWithoutScopes implements Telemetry {
    @Override
    public void count(Counter counter, Tags tags, long amount) {
      if (counter == Counter.COMPLETED) {
        throw new IllegalStateException("broken");
      }
    }

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Scope open(Span span, Tags tags, Trace parent) {
      return NOOP.open(span, tags, parent);
    }
  }
}
