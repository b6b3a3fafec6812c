package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What happens to messages in hand when an inbox is paused or the engine stops. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoppingTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineFixture fixture = EngineFixture.live();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch finish = new CountDownLatch(1);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    finish.countDown();
    fixture.close();
    Await.noEngineThreads();
  }

  /** The first message occupies the only worker; what comes behind it is leased and waits. */
  private Result first(Delivery<String> delivery) {
    handled.add(delivery.payload());
    if (delivery.payload().equals("first")) {
      started.countDown();
      Await.latch(finish);
    }
    return Result.success();
  }

  private UUID leaseOneAheadOfTheWorker() {
    fixture
        .options(options -> options.ordering(Ordering.REQUIRED).concurrency(1).shutdownGrace(HOUR))
        .handler(this::first);
    fixture.write("first", options -> options.groupKey("a"));
    UUID ahead = fixture.write("ahead", options -> options.groupKey("b"));
    fixture.start();
    Await.latch(started);
    assertThat(fixture.state(ahead)).isEqualTo(MessageState.LEASED);
    return ahead;
  }

  @Test
  void pausing_gives_back_what_was_not_started_and_resuming_goes_on() {
    UUID ahead = leaseOneAheadOfTheWorker();

    fixture.mailroom().pause(EngineFixture.INBOX);
    Await.until("it is given back", () -> fixture.state(ahead) == MessageState.READY);
    assertThat(fixture.progress(ahead).attempts()).isZero();
    finish.countDown();
    Await.until("the first is done", () -> fixture.alive() == 1);
    assertThat(handled).containsExactly("first");
    fixture.mailroom().resume(EngineFixture.INBOX);

    Await.until("the other is done", () -> fixture.alive() == 0);
    assertThat(handled).containsExactly("first", "ahead");
  }

  @Test
  void pausing_gives_back_the_rest_of_a_turn_too() {
    fixture
        .options(options -> options.ordering(Ordering.REQUIRED).concurrency(1).shutdownGrace(HOUR))
        .handler(this::first);
    fixture.write("first", options -> options.groupKey("a"));
    UUID behind = fixture.write("behind", options -> options.groupKey("a"));
    fixture.start();
    Await.latch(started);
    assertThat(fixture.state(behind)).isEqualTo(MessageState.LEASED);

    fixture.mailroom().pause(EngineFixture.INBOX);
    finish.countDown();
    Await.until("it is given back", () -> fixture.state(behind) == MessageState.READY);
    assertThat(handled).containsExactly("first");
    fixture.mailroom().resume(EngineFixture.INBOX);

    Await.until("it is handled", () -> handled.contains("behind"));
  }

  @Test
  void an_inbox_paused_before_the_start_stays_paused() {
    fixture.handler(this::first);
    fixture.mailroom().pause(EngineFixture.INBOX);
    fixture.start();
    fixture.write("a");
    Await.fetcherRests(EngineFixture.INBOX);
    assertThat(fixture.failing.calls(Verb.LEASE)).isZero();

    fixture.mailroom().resume(EngineFixture.INBOX);

    Await.until("it is handled", () -> handled.contains("a"));
  }

  @Test
  void what_a_claim_brings_after_the_pause_is_given_back() {
    SlowClaims store = new SlowClaims(fixture.failing);
    fixture.settings(builder -> builder.store(store)).handler(this::first);
    UUID id = fixture.write("a");
    fixture.start();
    Await.latch(store.claimed);

    fixture.mailroom().pause(EngineFixture.INBOX);
    store.answer.countDown();

    Await.until("it is given back", () -> fixture.state(id) == MessageState.READY);
    assertThat(handled).isEmpty();
    assertThat(fixture.progress(id).attempts()).isZero();
  }

  /** A store whose first claim answers when the test says so. */
  private static final class SlowClaims extends ForwardingStore {
    private final CountDownLatch claimed = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);

    private SlowClaims(Store delegate) {
      super(delegate);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      claimed.countDown();
      Await.latch(answer);
      return claim;
    }
  }

  @Test
  void stopping_gives_back_at_once_what_was_not_started() throws Exception {
    UUID ahead = leaseOneAheadOfTheWorker();

    CompletableFuture<Void> stop = CompletableFuture.runAsync(fixture.mailroom()::stop);
    Await.until("it is given back", () -> fixture.state(ahead) == MessageState.READY);

    assertThat(stop).isNotDone();
    finish.countDown();
    Await.value(stop);
    assertThat(handled).containsExactly("first");
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  void the_grace_time_runs_for_all_inboxes_at_once() throws Exception {
    CountDownLatch otherStarted = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    fixture
        .settings(
            builder ->
                builder.inbox(
                    "impatient",
                    inbox ->
                        inbox
                            .options(options -> options.shutdownGrace(Duration.ZERO))
                            .handler(
                                String.class,
                                delivery -> {
                                  otherStarted.countDown();
                                  try {
                                    Await.latch(new CountDownLatch(1));
                                  } catch (AssertionError error) {
                                    interrupted.countDown();
                                  }
                                  return Result.fail("interrupted");
                                })))
        .options(options -> options.shutdownGrace(HOUR))
        .handler(this::first);
    fixture.write("first");
    fixture.mailroom().inbox("impatient").write("a");
    fixture.start();
    Await.latch(started);
    Await.latch(otherStarted);

    CompletableFuture<Void> stop = CompletableFuture.runAsync(fixture.mailroom()::stop);
    Await.latch(interrupted);

    assertThat(stop).as("the patient inbox still has its grace time").isNotDone();
    finish.countDown();
    Await.value(stop);
  }

  @Test
  void an_interrupt_cuts_the_stop_short_and_the_threads_end_all_the_same() throws Exception {
    leaseOneAheadOfTheWorker();
    CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
    Thread stopper =
        new Thread(
            () -> {
              fixture.mailroom().stop();
              stillInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    stopper.start();
    Await.until(
        "the fetcher has ended", () -> !Await.engineThreads().contains("mailroom-notes-fetcher"));

    stopper.interrupt();

    assertThat(Await.value(stillInterrupted)).isTrue();
    assertThat(fixture.mailroom().isRunning()).isFalse();
    finish.countDown();
    Await.noEngineThreads();
  }

  @Test
  void outcomes_that_cannot_be_stored_for_a_moment_are_stored_before_the_end() throws Exception {
    fixture.handler(this::first);
    UUID id = fixture.write("first");
    fixture.start();
    Await.latch(started);
    fixture.failing.fail(Verb.SETTLE, 4);
    CompletableFuture<Void> stop = CompletableFuture.runAsync(fixture.mailroom()::stop);

    finish.countDown();
    Await.value(stop);

    assertThat(fixture.isGone(id)).as("completed, and not to be handled again").isTrue();
  }
}
