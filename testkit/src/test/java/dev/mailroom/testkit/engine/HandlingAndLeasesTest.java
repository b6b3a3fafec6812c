package dev.mailroom.testkit.engine;

import static dev.mailroom.testkit.engine.Desk.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.testkit.ManualEngine;
import dev.mailroom.testkit.engine.TroubledStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of what becomes of a message, continued: where its lease or its worker is lost. */
class HandlingAndLeasesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private Result noted(Delivery<String> delivery) {
    handled.add(delivery.payload() + "#" + delivery.attempt());
    return Result.success();
  }

  @Test
  @DisplayName("process dies: leased again after expiry and a back-off; a crash, no attempt; alone")
  void processDies() {
    desk.handler(this::noted);
    UUID id = desk.write("a");
    desk.write("b");
    desk.worker().fetch(); // and is never heard of again
    ManualEngine other = desk.worker();

    desk.pass(LEASE.minusMillis(1));
    assertThat(other.reclaim()).isZero();
    desk.pass(Duration.ofMillis(1));
    assertThat(other.reclaim()).isEqualTo(1);

    assertThat(desk.progress(id).attempts()).isZero();
    assertThat(desk.progress(id).crashes()).isEqualTo(1);
    assertThat(desk.delay(id)).isEqualTo(SECOND);
    assertThat(other.run()).isZero();
    desk.pass(SECOND);
    desk.write("healthy");
    other.fetch();
    assertThat(other.buffered()).as("a suspect is leased alone").isEqualTo(1);
    other.run();
    assertThat(handled).containsExactlyInAnyOrder("a#1", "b#1", "healthy#1");
    assertThat(desk.telemetry.sum(Counter.RECLAIMED)).isEqualTo(1);
  }

  @Test
  @DisplayName("process dies: a limit of its own, after which it is dead at the claim")
  void crashLimit() {
    desk.options(options -> options.crashes(3, Backoff.fixed(SECOND))).handler(this::noted);
    desk.write("poison");

    for (int crash = 1; crash <= 3; crash++) {
      ManualEngine dying = desk.worker();
      dying.fetch();
      assertThat(dying.buffered()).as("before crash %s", crash).isEqualTo(1);
      desk.pass(LEASE);
      assertThat(desk.worker().reclaim()).isEqualTo(1);
      desk.pass(SECOND);
    }
    ManualEngine last = desk.worker();
    assertThat(last.run()).isZero();

    assertThat(handled).isEmpty();
    DeadLetter letter = desk.deadLetter();
    assertThat(letter.error().type()).isEqualTo("crashed");
    assertThat(letter.message().progress().crashes()).isEqualTo(3);
    assertThat(letter.message().progress().attempts()).isZero();
    assertThat(desk.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
  }

  @Test
  @DisplayName("process dies: what it held comes back also where there is always more to do")
  void suspectsDoNotStarve() {
    desk.options(options -> options.concurrency(1).readBatch(10)).handler(this::noted);
    desk.write("suspect");
    desk.worker().fetch(); // and is never heard of again
    desk.pass(LEASE);
    ManualEngine worker = desk.worker();
    assertThat(worker.reclaim()).isEqualTo(1);
    for (int i = 0; i < 4_000; i++) {
      desk.write("other");
    }

    for (int i = 0; i < 3_000 && !handled.contains("suspect#1"); i++) {
      worker.fetch();
      worker.handle();
      worker.settle();
      desk.pass(Duration.ofMillis(1));
    }

    assertThat(handled).contains("suspect#1").hasSizeGreaterThan(100);
  }

  @Test
  @DisplayName("lease lost while running: outcome refused and counted; the context tells")
  void leaseLost() {
    List<Boolean> told = new ArrayList<>();
    List<ManualEngine> workers = new ArrayList<>();
    desk.handler(
        delivery -> {
          noted(delivery);
          told.add(delivery.isLeaseLost());
          if (handled.size() == 1) {
            desk.pass(LEASE); // this process was asleep
            assertThat(workers.get(1).reclaim()).isEqualTo(1);
            workers.get(0).keep();
            told.add(delivery.isLeaseLost());
            return Result.deadLetter("must be refused");
          }
          return Result.success();
        });
    workers.add(desk.worker());
    workers.add(desk.worker());
    UUID id = desk.write("a");

    workers.get(0).run();

    assertThat(told).containsExactly(false, true);
    assertThat(desk.telemetry.sum(Counter.LEASE_LOST)).isEqualTo(1);
    assertThat(workers.get(0).holdsLeases()).isFalse();
    assertThat(desk.deadLetters()).isEmpty();
    desk.pass(SECOND);
    workers.get(1).run();
    assertThat(desk.isGone(id)).isTrue();
    assertThat(handled).containsExactly("a#1", "a#1");
  }

  @Test
  @DisplayName("lease lost before it was started: dropped, for another worker has it")
  void leaseLostBeforeStart() {
    desk.handler(this::noted);
    desk.write("a");
    ManualEngine slow = desk.worker();
    slow.fetch();
    desk.pass(LEASE);
    ManualEngine other = desk.worker();
    other.reclaim();
    slow.keep();

    assertThat(slow.handle()).isTrue();

    assertThat(handled).isEmpty();
    assertThat(slow.holdsLeases()).isFalse();
    desk.pass(SECOND);
    assertThat(other.run()).isEqualTo(1);
  }

  @Test
  @DisplayName("outcome could not be stored: tried again until the lease ends")
  void outcomeStoredLater() {
    desk.handler(this::noted);
    UUID id = desk.write("a");
    ManualEngine worker = desk.worker();
    desk.trouble.fail(Verb.SETTLE, 3);

    worker.run();
    assertThat(desk.state(id)).isEqualTo(MessageState.LEASED);
    while (worker.holdsLeases()) {
      desk.pass(SECOND);
      worker.settle();
    }

    assertThat(desk.isGone(id)).isTrue();
    assertThat(desk.telemetry.sum(Counter.SETTLE_FAILED)).isZero();
    assertThat(handled).containsExactly("a#1");
  }

  @Test
  @DisplayName("outcome could not be stored: then another worker takes it")
  void outcomeNeverStored() {
    desk.handler(this::noted);
    UUID id = desk.write("a");
    ManualEngine cutOff = desk.worker();
    desk.trouble.breakDown(Verb.SETTLE);
    cutOff.run();
    desk.pass(LEASE);
    cutOff.settle();

    assertThat(cutOff.holdsLeases()).isFalse();
    assertThat(desk.telemetry.sum(Counter.SETTLE_FAILED)).isEqualTo(1);
    desk.trouble.heal();
    ManualEngine other = desk.worker();
    assertThat(other.reclaim()).isEqualTo(1);
    desk.pass(SECOND);
    other.run();
    assertThat(handled).containsExactly("a#1", "a#1");
    assertThat(desk.isGone(id)).isTrue();
  }

  @Test
  @DisplayName("outcome could not be stored: in order, what comes behind it waits for it")
  void outcomeNeverStoredInOrder() {
    List<ManualEngine> workers = new ArrayList<>();
    desk.options(options -> options.ordering(Ordering.REQUIRED))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              if (delivery.payload().equals("b") && handled.size() == 2) {
                desk.trouble.breakDown(Verb.SETTLE);
                workers.get(0).settle(); // fails, and is to be tried again
                desk.pass(LEASE);
                workers.get(0).settle(); // too late
                desk.trouble.heal();
                workers.get(0).keep(); // would extend the lease, which nobody has taken back
              }
              return Result.success();
            });
    for (String text : List.of("a", "b", "c")) {
      desk.write(text, options -> options.groupKey("g"));
    }
    workers.add(desk.worker());

    workers.get(0).run();
    desk.pass(LEASE);
    workers.get(0).reclaim();
    while (desk.alive() > 0) {
      desk.pass(SECOND);
      workers.get(0).run();
    }

    assertThat(handled).startsWith("a", "b", "a").containsSubsequence("a", "b", "a", "b", "c");
  }

  @Test
  @DisplayName("outcome could not be stored: one bad outcome does not hold up its neighbours")
  void oneBadOutcome() {
    desk.handler(this::noted);
    UUID first = desk.write("a");
    UUID second = desk.write("b");
    ManualEngine worker = desk.worker();
    desk.trouble.fail(Verb.SETTLE, 2, () -> new IllegalStateException("cannot be stored"));

    worker.run();

    assertThat(desk.isGone(first)).as("given up after it failed together and alone").isFalse();
    assertThat(desk.isGone(second)).isTrue();
    assertThat(worker.holdsLeases()).isFalse();
    assertThat(desk.telemetry.sum(Counter.SETTLE_FAILED)).isEqualTo(1);
  }

  @Test
  @DisplayName("outcome could not be stored: in order, a bad one holds up what comes behind it")
  void oneBadOutcomeInOrder() {
    desk.options(options -> options.ordering(Ordering.REQUIRED)).handler(this::noted);
    for (String text : List.of("a", "b", "c")) {
      desk.write(text, options -> options.groupKey("g"));
    }
    ManualEngine worker = desk.worker();
    desk.trouble.fail(Verb.SETTLE, 2, () -> new IllegalStateException("cannot be stored"));

    worker.run();
    assertThat(desk.alive()).isEqualTo(3);
    desk.pass(LEASE);
    worker.reclaim();
    while (desk.alive() > 0) {
      desk.pass(SECOND);
      worker.run();
    }

    assertThat(handled.stream().map(text -> text.substring(0, 1)))
        .containsSubsequence("a", "b", "c", "a", "b", "c");
  }

  @Test
  @DisplayName("a worker that fails outside of any handler: counts as a crash, others go on")
  void workerFails() {
    desk.settings(builder -> builder.telemetry(new BrokenTelemetry())).handler(this::noted);
    UUID id = desk.write("a");
    ManualEngine worker = desk.worker();

    worker.fetch();
    assertThatIllegalStateException().isThrownBy(worker::handle);

    assertThat(worker.holdsLeases()).as("it is not extended for ever").isFalse();
    desk.pass(LEASE);
    assertThat(worker.reclaim()).isEqualTo(1);
    assertThat(desk.progress(id).crashes()).isEqualTo(1);
  }

  @Test
  @DisplayName("telemetry that breaks after a success: the worker does not hang")
  void telemetryFails() {
    desk.settings(builder -> builder.telemetry(new ForgetfulTelemetry())).handler(this::noted);
    desk.write("a");
    ManualEngine worker = desk.worker();

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
      return NONE.open(span, tags, parent);
    }
  }

  /** Breaks its promise not to throw, when a handler has been called. */
  private static final class ForgetfulTelemetry implements Telemetry {
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
      return NONE.open(span, tags, parent);
    }
  }
}
