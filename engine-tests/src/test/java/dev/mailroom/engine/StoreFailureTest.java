package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.ChannelHealth;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The loops outlive any outage, and health shows it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoreFailureTest {
  private final EngineFixture fixture = EngineFixture.live();
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    fixture.close();
    Await.noEngineThreads();
  }

  private void noting() {
    fixture.handler(
        delivery -> {
          handled.add(delivery.payload());
          return Result.success();
        });
  }

  private ChannelHealth health() {
    return fixture.mailroom().health().get(0);
  }

  private long loopErrors(String loop) {
    return fixture.telemetry.counts(Counter.LOOP_ERROR).stream()
        .filter(count -> loop.equals(count.tags().handler()))
        .count();
  }

  @Test
  void the_fetcher_outlives_a_store_that_cannot_be_claimed_from() {
    noting();
    fixture.failing.breakDown(Verb.LEASE);
    fixture.start();
    fixture.write("a");
    Await.until("two claims have failed", () -> health().consecutiveFailures() >= 2);
    assertThat(health().lastSuccess()).isNull();
    assertThat(health().oldestDue()).isNotNull();
    assertThat(loopErrors("fetcher")).isGreaterThanOrEqualTo(2);

    fixture.failing.heal();

    Await.until("it is handled", () -> fixture.alive() == 0);
    Await.until("health shows it", () -> health().consecutiveFailures() == 0);
    assertThat(health().lastSuccess()).isNotNull();
    assertThat(handled).containsExactly("a");
  }

  @Test
  void the_settler_outlives_a_store_that_takes_no_outcomes() {
    noting();
    fixture.failing.breakDown(Verb.SETTLE);
    fixture.start();
    UUID id = fixture.write("a");
    Await.until("two settlements have failed", () -> fixture.failing.calls(Verb.SETTLE) >= 2);

    fixture.failing.heal();

    Await.until("its outcome is stored", () -> fixture.isGone(id));
    assertThat(handled).containsExactly("a");
  }

  @Test
  void the_keeper_outlives_a_store_that_extends_no_leases() {
    CountDownLatch finish = new CountDownLatch(1);
    fixture
        .options(options -> options.lease(Duration.ofSeconds(5)).extensionThreshold(0.1))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              Await.latch(finish);
              return Result.success();
            });
    fixture.failing.breakDown(Verb.EXTEND);
    fixture.start();
    UUID id = fixture.write("a");
    Await.until("two extensions have failed", () -> loopErrors("lease-extender") >= 2);
    int failed = fixture.failing.calls(Verb.EXTEND);

    fixture.failing.heal();
    Await.until("an extension has succeeded", () -> fixture.failing.calls(Verb.EXTEND) > failed);
    finish.countDown();

    Await.until("it is done", () -> fixture.isGone(id));
    assertThat(handled).containsExactly("a");
    assertThat(fixture.telemetry.sum(Counter.LEASE_LOST)).isZero();
  }

  @Test
  void the_sweeper_outlives_a_store_that_reclaims_nothing() {
    noting();
    fixture.failing.breakDown(Verb.RECLAIM);
    fixture.start();
    Await.until("two sweeps have failed", () -> loopErrors("sweeper") >= 2);
    int failed = fixture.failing.calls(Verb.RECLAIM);

    fixture.failing.heal();

    Await.until("a sweep has succeeded", () -> fixture.failing.calls(Verb.RECLAIM) > failed);
    fixture.write("a");
    Await.until("messages were handled all the while", () -> handled.contains("a"));
  }

  @Test
  void health_can_be_asked_while_the_store_is_down() {
    noting();
    fixture.start();
    Await.fetcherRests(EngineFixture.INBOX);
    fixture.failing.breakDown(Verb.values());

    ChannelHealth health = health();

    assertThat(health.running()).isTrue();
    assertThat(health.oldestDue()).isNull();
    fixture.failing.heal();
  }

  @Test
  void a_failing_store_does_not_keep_the_engine_from_stopping() {
    noting();
    fixture.failing.breakDown(Verb.values());
    fixture.start();
    Await.until("claims fail", () -> health().consecutiveFailures() > 0);

    fixture.close();

    assertThat(fixture.mailroom().isRunning()).isFalse();
  }

  @Test
  void leases_are_extended_before_their_deadline_while_they_are_held() {
    EngineFixture manual = EngineFixture.manual();
    manual.handler(delivery -> Result.success());
    UUID id = manual.write("a");
    ManualEngine worker = manual.worker();
    worker.fetch();
    Duration half = EngineFixture.LEASE.dividedBy(2);

    for (int i = 0; i < 10; i++) {
      assertThat(worker.extendLeases()).isEqualTo(half);
      manual.pass(half);
    }

    assertThat(manual.failing.calls(Verb.EXTEND)).isEqualTo(9);
    worker.extendLeases();
    assertThat(manual.worker().reclaim()).isZero();
    worker.run();
    assertThat(manual.isGone(id)).isTrue();
  }

  @Test
  void leases_are_not_extended_where_extension_is_off() {
    EngineFixture manual = EngineFixture.manual();
    manual.options(options -> options.leaseExtension(false)).handler(d -> Result.success());
    manual.write("a");
    ManualEngine worker = manual.worker();
    worker.fetch();
    manual.pass(EngineFixture.LEASE);

    worker.extendLeases();

    assertThat(manual.failing.calls(Verb.EXTEND)).isZero();
    assertThat(manual.worker().reclaim()).isEqualTo(1);
  }

  @Test
  void an_outcome_that_meets_an_error_in_the_store_is_given_up_and_its_lease_let_go() {
    EngineFixture manual = EngineFixture.manual();
    WithoutSubscription store = new WithoutSubscription(manual.failing);
    manual.settings(builder -> builder.store(store)).handler(delivery -> Result.success());
    UUID id = manual.write("a");
    ManualEngine worker = manual.worker();

    worker.run();

    assertThat(worker.holdsLeases()).isFalse();
    assertThat(manual.telemetry.sum(Counter.SETTLE_FAILED)).isEqualTo(1);
    manual.pass(EngineFixture.LEASE);
    assertThat(worker.reclaim()).isEqualTo(1);
    assertThat(manual.progress(id).crashes()).isEqualTo(1);
  }

  @Test
  void outcomes_are_not_forgotten_when_even_the_report_of_the_failure_fails() {
    EngineFixture manual = EngineFixture.manual();
    manual
        .settings(builder -> builder.telemetry(new NoMemory()))
        .handler(delivery -> Result.success());
    manual.failing.fail(Verb.SETTLE, 2, () -> new IllegalStateException("cannot be stored"));
    UUID first = manual.write("a");
    UUID second = manual.write("b");
    ManualEngine worker = manual.worker();

    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(worker::run);
    worker.settle();

    assertThat(manual.isGone(second)).isTrue();
    assertThat(manual.isGone(first)).as("given up after it failed together and alone").isFalse();
    assertThat(worker.holdsLeases()).isFalse();
  }

  /** There is none for the count of what could not be stored. */
  private static final class NoMemory implements Telemetry {
    @Override
    public void count(Counter counter, Tags tags, long amount) {
      if (counter == Counter.SETTLE_FAILED) {
        throw new OutOfMemoryError("no room for a count");
      }
    }

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Scope open(Span span, Tags tags, Trace parent) {
      return NOOP.open(span, tags, parent);
    }
  }

  /** A store whose driver lacks a class. */
  private static final class WithoutSubscription extends ForwardingStore {
    private WithoutSubscription(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      throw new NoClassDefFoundError("a driver's class");
    }
  }
}
