package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Transactional;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A handler's writes and the completion of its message: both or neither. */
class TransactionalHandlingTest {
  private static final Channel EFFECTS =
      new Channel("effects", Ordering.NONE, ChannelPolicy.defaults());
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final EngineFixture fixture =
      EngineFixture.manual()
          .settings(builder -> builder.inbox(EFFECTS.name(), inbox -> {}))
          .options(
              options ->
                  options.retry(
                      RetryPolicy.builder()
                          .attempts(2)
                          .backoff(Backoff.fixed(SECOND).withJitter(0))
                          .build()));

  private void effect(Delivery<String> delivery) {
    fixture
        .mailroom()
        .inbox(EFFECTS.name())
        .write(delivery.payload(), options -> options.in(delivery.transaction()));
  }

  private long effects() {
    return fixture.store().counts(EFFECTS).ready();
  }

  private EngineFixture afterEffect(Handler<String> handler) {
    return fixture.handler(
        delivery -> {
          effect(delivery);
          return handler.handle(delivery);
        });
  }

  @Test
  @DisplayName("success commits the handler's writes and the completion, and nothing waits")
  void success() {
    afterEffect(delivery -> Result.success());
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();

    assertThat(effects()).isEqualTo(1);
    assertThat(fixture.isGone(id)).as("completed before the settler ran").isTrue();
    assertThat(worker.holdsLeases()).isFalse();
    assertThat(fixture.failing.calls(Verb.SETTLE)).isZero();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(1);
  }

  @Test
  @DisplayName("nothing is visible before the handler has returned")
  void invisible() {
    List<Long> seen = new ArrayList<>();
    afterEffect(
        delivery -> {
          seen.add(effects());
          return Result.success();
        });
    fixture.write("a");

    fixture.worker().run();

    assertThat(seen).containsExactly(0L);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  @DisplayName("a throw rolls back and counts as an attempt")
  void threw() {
    afterEffect(
        delivery -> {
          throw new IllegalStateException("no");
        });
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(effects()).isZero();
    assertThat(fixture.progress(id).attempts()).isEqualTo(1);
    assertThat(fixture.delay(id)).isEqualTo(SECOND);
  }

  @Test
  @DisplayName("failed, retry and dead-letter roll back and become what was answered")
  void otherAnswers() {
    afterEffect(
        delivery ->
            switch (delivery.payload()) {
              case "failed" -> Result.fail("no");
              case "later" -> Result.retryLater(Duration.ofMinutes(3));
              default -> Result.deadLetter("never");
            });
    UUID failed = fixture.write("failed");
    UUID later = fixture.write("later");
    UUID dead = fixture.write("dead");

    fixture.worker().run();

    assertThat(effects()).isZero();
    assertThat(fixture.delay(failed)).isEqualTo(SECOND);
    assertThat(fixture.delay(later)).isEqualTo(Duration.ofMinutes(3));
    assertThat(fixture.progress(later).deferrals()).isEqualTo(1);
    assertThat(fixture.state(dead)).isEqualTo(MessageState.DEAD);
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isZero();
  }

  @Test
  @DisplayName("a retried message has its effect once")
  void onceInTheEnd() {
    afterEffect(delivery -> delivery.attempt() == 1 ? Result.fail("not yet") : Result.success());
    fixture.write("a");

    fixture.worker().run();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(effects()).isEqualTo(1);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("lease lost: nothing of the handler's writes stays, and it is counted")
  void leaseLost() {
    afterEffect(
        delivery -> {
          fixture.pass(LEASE); // this process was asleep
          assertThat(fixture.worker().reclaim()).isEqualTo(1);
          return Result.success();
        });
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();
    worker.settle();

    assertThat(effects()).isZero();
    assertThat(fixture.progress(id).crashes()).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.LEASE_LOST)).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isZero();
    assertThat(worker.holdsLeases()).isFalse();
  }

  @Test
  @DisplayName("a failed commit is a failed attempt")
  void commitFails() {
    commitsOf(new FailingCommits(fixture.store(), false));
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(effects()).isZero();
    assertThat(fixture.progress(id).attempts()).isEqualTo(1);
    assertThat(fixture.progress(id).lastError().message()).contains("broke off");
  }

  @Test
  @DisplayName("a commit that took effect without an answer leaves the message completed, once")
  void commitUnknown() {
    commitsOf(new FailingCommits(fixture.store(), true));
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(effects()).isEqualTo(1);
    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.telemetry.sum(Counter.LEASE_LOST)).isEqualTo(1);
  }

  private void commitsOf(ForwardingStore store) {
    fixture.settings(
        builder -> builder.store(store.withCapabilities()).inbox(EFFECTS.name(), inbox -> {}));
    afterEffect(delivery -> Result.success());
  }

  @Test
  @DisplayName("a store without transactions says so")
  void unsupported() {
    fixture.settings(
        builder ->
            builder.store(new ForwardingStore(fixture.store())).inbox(EFFECTS.name(), inbox -> {}));
    afterEffect(delivery -> Result.success());
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.progress(id).lastError().message())
        .contains("store of channel 'notes' has no transactions");
  }

  @Test
  @DisplayName("the transaction is for the handler's thread, until it returns")
  void onlyInTheHandler() throws Exception {
    List<Delivery<String>> kept = new ArrayList<>();
    List<Transaction> begun = new ArrayList<>();
    AtomicReference<Throwable> elsewhere = new AtomicReference<>();
    fixture.handler(
        delivery -> {
          Thread other = new Thread(delivery::transaction);
          other.setUncaughtExceptionHandler((thread, error) -> elsewhere.set(error));
          other.start();
          other.join();
          kept.add(delivery);
          begun.add(delivery.transaction());
          assertThat(delivery.transaction()).isSameAs(begun.get(0));
          return Result.success();
        });
    fixture.write("a");

    fixture.worker().run();

    assertThat(elsewhere.get()).isInstanceOf(IllegalStateException.class);
    assertThatIllegalStateException().isThrownBy(() -> kept.get(0).transaction());
    WriteOptions late = WriteOptions.builder().in(begun.get(0)).build();
    assertThatIllegalStateException().isThrownBy(() -> fixture.write("b", late));
  }

  @Test
  @DisplayName("stopped while it runs: rolled back and given back, uncounted")
  void stopped() {
    try (EngineFixture live = EngineFixture.live()) {
      CountDownLatch running = new CountDownLatch(1);
      live.options(options -> options.shutdownGrace(Duration.ofMillis(1)))
          .settings(builder -> builder.inbox(EFFECTS.name(), inbox -> {}))
          .handler(
              delivery -> {
                live.mailroom()
                    .inbox(EFFECTS.name())
                    .write("x", options -> options.in(delivery.transaction()));
                running.countDown();
                Thread.currentThread().join(); // until it is interrupted
                return Result.success();
              });
      UUID id = live.write("a");
      live.start();
      Await.latch(running);

      live.mailroom().stop();

      assertThat(live.store().counts(EFFECTS).ready()).isZero();
      assertThat(live.state(id)).isEqualTo(MessageState.READY);
      assertThat(live.progress(id).attempts()).isZero();
    }
  }

  /** Commits whose connection breaks off, before or after they took effect. */
  private static final class FailingCommits extends ForwardingStore implements Transactional {
    private final boolean takesEffect;

    FailingCommits(Store delegate, boolean takesEffect) {
      super(delegate);
      this.takesEffect = takesEffect;
    }

    @Override
    public OpenTransaction begin() {
      return ((Transactional) delegate()).begin();
    }

    @Override
    public Set<UUID> settle(
        Channel channel, List<Settlement> settlements, Transaction transaction) {
      ((Transactional) delegate()).settle(channel, settlements, transaction);
      if (takesEffect) {
        ((OpenTransaction) transaction).commit();
      }
      throw new TransientStoreException("The connection broke off.");
    }
  }
}
