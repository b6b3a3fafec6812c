package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.AtomicCompletion;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.StateChange;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A handler completes its message together with a state and other messages. */
class CompletingTogetherTest {
  private static final Channel EFFECTS =
      new Channel("effects", Ordering.NONE, ChannelPolicy.defaults());
  private static final StateKey KEY = new StateKey("test", "one");

  private final EngineFixture fixture =
      EngineFixture.manual()
          .settings(builder -> builder.inbox(EFFECTS.name(), inbox -> {}))
          .options(
              options ->
                  options.retry(
                      RetryPolicy.builder()
                          .attempts(2)
                          .backoff(Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
                          .build()));

  private MessageChannel effectsChannel() {
    return fixture.context().channel(EFFECTS.name());
  }

  private Commit effects(Delivery<String> delivery, long version, UUID... removed) {
    MessageChannel channel = effectsChannel();
    return new Commit(
        List.of(),
        List.of(
            channel.prepare(List.of(new Outgoing(delivery.payload(), WriteOptions.defaults())))),
        List.of(removed).stream().map(id -> channel.removal(Target.id(id))).toList(),
        new StateChange(KEY, version, channel.encode(delivery.payload())));
  }

  private long stored() {
    return fixture.store().counts(EFFECTS).ready();
  }

  private long version() {
    StoredState state = fixture.store().state(KEY);
    return state == null ? 0 : state.version();
  }

  @Test
  @DisplayName("all of it is stored with the completion, and nothing waits to be settled")
  void together() {
    UUID[] cancelled = new UUID[1];
    fixture.handler(
        delivery -> {
          assertThat(AtomicCompletion.of(delivery).complete(effects(delivery, 0, cancelled[0])))
              .hasSize(1);
          return Result.success();
        });
    UUID id = fixture.write("a");
    cancelled[0] = effectsChannel().write("to be removed", WriteOptions.defaults()).messageId();
    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(stored()).as("one added, one removed").isEqualTo(1);
    assertThat(version()).isEqualTo(1);
    assertThat(worker.holdsLeases()).isFalse();
    assertThat(fixture.failing.calls(Verb.SETTLE)).isZero();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(1);
  }

  @Test
  @DisplayName("after a conflict nothing happened, and the handler can do it from a fresh copy")
  void conflict() {
    fixture.handler(
        delivery -> {
          assertThatThrownBy(() -> AtomicCompletion.of(delivery).complete(effects(delivery, 7)))
              .isInstanceOf(VersionConflictException.class);
          assertThat(stored()).isZero();
          AtomicCompletion.of(delivery).complete(effects(delivery, 0));
          return Result.success();
        });
    UUID id = fixture.write("a");
    fixture.worker().run();

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(stored()).isEqualTo(1);
  }

  @Test
  @DisplayName("a handler that fails after it has completed its message has completed it")
  void failsAfterwards() {
    fixture.handler(
        delivery -> {
          AtomicCompletion.of(delivery).complete(effects(delivery, 0));
          throw new IllegalStateException("too late");
        });
    UUID id = fixture.write("a");
    fixture.worker().run();

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(stored()).isEqualTo(1);
  }

  @Test
  @DisplayName("without the lease nothing happens")
  void leaseLost() {
    fixture.handler(
        delivery -> {
          fixture.pass(EngineFixture.LEASE.multipliedBy(2));
          fixture.worker().reclaim();
          assertThatThrownBy(() -> AtomicCompletion.of(delivery).complete(effects(delivery, 0)))
              .isInstanceOf(LeaseLostException.class);
          return Result.fail("lost");
        });
    fixture.write("a");
    fixture.worker().run();

    assertThat(stored()).isZero();
    assertThat(version()).isZero();
  }

  @Test
  @DisplayName("it is for once, and not for handlers with a transaction")
  void once() {
    AtomicBoolean refused = new AtomicBoolean(); // an error of the handler would be no news here
    fixture.handler(
        delivery -> {
          AtomicCompletion.of(delivery).complete(effects(delivery, 0));
          assertThatIllegalStateException()
              .isThrownBy(delivery::transaction)
              .withMessageContaining("is completed");
          assertThatIllegalStateException()
              .isThrownBy(() -> AtomicCompletion.of(delivery).complete(effects(delivery, 1)))
              .withMessageContaining("once");
          refused.set(true);
          return Result.success();
        });
    fixture.write("a");
    fixture.worker().run();

    assertThat(refused).isTrue();
    assertThat(version()).isEqualTo(1);
  }
}
