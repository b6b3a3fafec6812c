package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.HandlerOptions;
import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of what becomes of a message, continued: where threads and interrupts matter. */
class HandlingThreadsTest {
  private static final RetryPolicy TWICE =
      RetryPolicy.builder().attempts(2).backoff(Backoff.fixed(Duration.ofMillis(1))).build();
  private static final Duration SHORT = Duration.ofMillis(20);

  private final EngineFixture fixture = EngineFixture.live();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void noThreadIsLeft() {
    fixture.close();
    Await.noEngineThreads();
  }

  private Result fail(Delivery<String> delivery) throws Exception {
    handled.add(delivery.payload() + "#" + delivery.attempt());
    switch (delivery.payload()) {
      case "http" -> throw new HttpTimeoutException("the other side is slow");
      case "timeout" -> throw new TimeoutException("a future took too long");
      case "interrupted" -> throw new InterruptedException("a pool was interrupted");
      case "cancelled" -> throw new CancellationException("a future was cancelled");
      case "flag" -> {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted itself");
      }
      default -> done.countDown();
    }
    return Result.success();
  }

  @Test
  @DisplayName(
      "its own client times out, is interrupted, cancelled: as any throw; the loop goes on")
  void ownTimeouts() {
    fixture.options(options -> options.retry(TWICE).concurrency(2)).handler(this::fail).start();

    fixture.writeAll("http", "timeout", "interrupted", "cancelled", "flag");
    Await.until("all are dead", () -> fixture.counts().dead() == 5);
    fixture.write("fine");
    Await.latch(done);

    assertThat(handled)
        .containsExactlyInAnyOrder(
            "http#1",
            "http#2",
            "timeout#1",
            "timeout#2",
            "interrupted#1",
            "interrupted#2",
            "cancelled#1",
            "cancelled#2",
            "flag#1",
            "flag#2",
            "fine#1");
    assertThat(fixture.deadLetters())
        .allSatisfy(letter -> assertThat(letter.message().progress().attempts()).isEqualTo(2));
    assertThat(fixture.telemetry.sum(Counter.LOOP_ERROR)).isZero();
  }

  @Test
  @DisplayName("exceeds the handler timeout: interrupted; as a throw")
  void handlerTimeout() {
    fixture
        .options(options -> options.retry(TWICE).handlerTimeout(SHORT))
        .handler(
            delivery -> {
              handled.add(delivery.payload() + "#" + delivery.attempt());
              never.await();
              return Result.success();
            })
        .start();
    fixture.write("slow");

    Await.until("it is dead", () -> fixture.counts().dead() == 1);

    assertThat(handled).containsExactly("slow#1", "slow#2");
    assertThat(fixture.deadLetter().error().type()).isEqualTo("timeout");
    assertThat(fixture.deadLetter().error().message()).contains("PT0.02S");
  }

  @Test
  @DisplayName("exceeds the handler timeout: the handler's own limit goes before the inbox's")
  void ownHandlerTimeout() {
    HandlerOptions own = HandlerOptions.builder().timeout(SHORT).build();
    fixture
        .options(options -> options.retry(TWICE).handlerTimeout(Duration.ofHours(1)))
        .inbox(
            inbox ->
                inbox.handler(
                    String.class,
                    delivery -> {
                      never.await();
                      return Result.success();
                    },
                    own))
        .start();
    fixture.write("slow");

    Await.until("it is dead", () -> fixture.counts().dead() == 1);

    assertThat(fixture.deadLetter().error().type()).isEqualTo("timeout");
  }

  @Test
  @DisplayName("exceeds the handler timeout: a success that comes too late is a success")
  void lateSuccess() {
    fixture
        .options(options -> options.retry(TWICE).handlerTimeout(SHORT))
        .handler(
            delivery -> {
              untilInterrupted();
              return Result.success();
            })
        .start();
    UUID id = fixture.write("slow");

    Await.until("it is completed", () -> fixture.isGone(id));

    assertThat(fixture.telemetry.sum(Counter.FAILED)).isZero();
  }

  @Test
  @DisplayName("exceeds the handler timeout: the interrupt never leaks into the next message")
  void interruptDoesNotLeak() {
    fixture
        .options(
            options ->
                options
                    .retry(RetryPolicy.builder().attempts(1).build())
                    .handlerTimeout(SHORT)
                    .concurrency(1))
        .handler(
            delivery -> {
              handled.add(delivery.payload() + " " + Thread.currentThread().isInterrupted());
              if (delivery.payload().equals("slow")) {
                untilInterrupted();
                return Result.fail("with the interrupt still standing");
              }
              return Result.success();
            })
        .start();

    fixture.writeAll("slow", "next", "slow", "next");
    Await.until("all are handled", () -> fixture.alive() == 0);

    assertThat(handled).containsExactly("slow false", "next false", "slow false", "next false");
  }

  /** Goes on until interrupted, and leaves the interrupt standing. */
  private static void untilInterrupted() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private CompletableFuture<Void> stopping() {
    CompletableFuture<Void> stop = CompletableFuture.runAsync(fixture.mailroom()::stop);
    Await.until(
        "the fetcher has ended",
        () -> Await.engineThreads().stream().noneMatch(name -> name.endsWith("fetcher")));
    return stop;
  }

  @Test
  @DisplayName("shutdown, running: may finish within the grace time and its outcome is stored")
  void finishesWithinGrace() throws Exception {
    fixture
        .handler(
            delivery -> {
              started.countDown();
              Await.latch(done);
              return Result.success();
            })
        .start();
    UUID id = fixture.write("a");
    Await.latch(started);
    CompletableFuture<Void> stop = stopping();
    assertThat(fixture.state(id)).isEqualTo(MessageState.LEASED);

    done.countDown();
    Await.value(stop);

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.mailroom().isRunning()).isFalse();
  }

  @Test
  @DisplayName("shutdown, running: after the grace time interrupted and released, no attempt")
  void interruptedAfterGrace() {
    fixture
        .options(options -> options.shutdownGrace(Duration.ZERO))
        .handler(
            delivery -> {
              started.countDown();
              never.await();
              return Result.success();
            })
        .start();
    UUID id = fixture.write("a");
    Await.latch(started);

    fixture.mailroom().stop();

    assertThat(fixture.state(id)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(fixture.progress(id).crashes()).isZero();
    assertThat(fixture.telemetry.sum(Counter.RELEASED)).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.FAILED)).isZero();
  }

  @Test
  @DisplayName("shutdown, running: a success that comes with the interrupt is a success")
  void successAfterGrace() {
    fixture
        .options(options -> options.shutdownGrace(Duration.ZERO))
        .handler(
            delivery -> {
              started.countDown();
              untilInterrupted();
              return Result.success();
            })
        .start();
    UUID id = fixture.write("a");
    Await.latch(started);

    fixture.mailroom().stop();

    assertThat(fixture.isGone(id)).isTrue();
  }

  @Test
  @DisplayName("shutdown, running: a handler that ignores the interrupt is left; others take over")
  void ignoresTheInterrupt() {
    fixture
        .options(options -> options.shutdownGrace(Duration.ZERO))
        .handler(
            delivery -> {
              started.countDown();
              while (done.getCount() > 0) {
                Thread.onSpinWait();
                Thread.interrupted();
              }
              return Result.deadLetter("must be refused");
            })
        .start();
    UUID id = fixture.write("a");
    Await.latch(started);

    fixture.mailroom().stop();
    assertThat(fixture.state(id)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(id).attempts()).isZero();
    long others = fixture.node(inbox -> inbox.handler(String.class, this::fail)).processPending();
    done.countDown();

    assertThat(others).isEqualTo(1);
    Await.noEngineThreads();
    assertThat(fixture.isGone(id)).isTrue();
  }
}
