package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Result;
import dev.mailroom.errors.StoreException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Messages that the store leases as this process writes them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeasedAppendTest {
  private final EngineFixture fixture = EngineFixture.live();
  private final Door door = new Door(fixture.failing);
  private final CountDownLatch finish = new CountDownLatch(1);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    finish.countDown();
    door.gate.countDown();
    fixture.close();
    Await.noEngineThreads();
  }

  /** A store that can lease what it stores, though not in one step. */
  private static final class Door extends ForwardingStore implements LeasingWriter {
    final List<UUID> leased = new CopyOnWriteArrayList<>();
    final CountDownLatch stored = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(0);
    volatile boolean leases = true;
    volatile boolean fails;

    Door(Store delegate) {
      super(delegate);
    }

    @Override
    public LeasedAppend appendLeased(
        Channel channel, List<NewMessage> messages, LeaseRequest request) {
      if (fails) {
        stored.countDown();
        Await.latch(gate);
        throw new StoreException("The disk is full.");
      }
      List<AppendResult> results = append(channel, messages, null);
      Claim claim = leases ? lease(channel, request) : new Claim(null, List.of(), null);
      if (claim.lease() != null) {
        claim.lease().messages().forEach(message -> leased.add(message.id()));
      }
      stored.countDown();
      Await.latch(gate);
      return new LeasedAppend(results, claim.lease());
    }
  }

  private Result handle(Delivery<String> delivery) {
    handled.add(delivery.payload());
    if (delivery.payload().equals("slow")) {
      Await.latch(finish);
    }
    return Result.success();
  }

  private void open(Consumer<InboxOptionsBuilder> options) {
    fixture.options(options).settings(builder -> builder.store(door)).handler(this::handle);
  }

  private void startIdle() {
    fixture.start();
    Await.fetcherRests(EngineFixture.INBOX);
  }

  private void awaitAll() {
    Await.until("all are done", () -> fixture.alive() == 0);
  }

  @Test
  void what_is_written_while_the_workers_are_idle_comes_leased() {
    open(options -> {});
    startIdle();
    UUID one = fixture.write("one");
    awaitAll();
    Await.fetcherRests(EngineFixture.INBOX);
    UUID two = fixture.write("two");
    awaitAll();

    assertThat(handled).containsExactly("one", "two");
    assertThat(door.leased).containsExactly(one, two);
  }

  @Test
  void what_the_store_did_not_lease_is_claimed_at_once() {
    open(options -> options.poll(Duration.ofHours(1), Duration.ofHours(1)));
    door.leases = false;
    startIdle();
    fixture.write("one");
    awaitAll();

    assertThat(handled).containsExactly("one");
    assertThat(door.leased).isEmpty();
  }

  @Test
  void nothing_comes_leased_before_the_start_or_while_the_inbox_is_paused() {
    open(options -> {});
    fixture.write("before");
    fixture.start();
    awaitAll();
    fixture.mailroom().pause(EngineFixture.INBOX);
    UUID paused = fixture.write("paused");

    assertThat(fixture.state(paused)).isEqualTo(MessageState.READY);
    assertThat(door.leased).isEmpty();
    fixture.mailroom().resume(EngineFixture.INBOX);
    awaitAll();
    assertThat(handled).containsExactly("before", "paused");
  }

  @Test
  void nothing_comes_leased_while_all_workers_are_busy() {
    open(options -> options.concurrency(1));
    startIdle();
    fixture.write("slow");
    Await.until("it runs", () -> handled.contains("slow"));
    UUID next = fixture.write("next");
    assertThat(door.leased).doesNotContain(next);
    finish.countDown();

    awaitAll();
    assertThat(handled).containsExactly("slow", "next");
  }

  @Test
  void what_waits_is_claimed_when_those_who_were_to_come_before_it_stay_away() {
    open(options -> options.concurrency(1).poll(Duration.ofHours(1), Duration.ofHours(1)));
    door.fails = true;
    door.gate = new CountDownLatch(1);
    startIdle();
    CompletableFuture<UUID> failing = CompletableFuture.supplyAsync(() -> fixture.write("failing"));
    Await.latch(door.stored);
    fixture.write("waiting");
    Await.fetcherRests(EngineFixture.INBOX);
    door.gate.countDown();

    awaitAll();
    assertThat(handled).containsExactly("waiting");
    assertThat(failing).failsWithin(Duration.ofSeconds(10));
  }

  @Test
  void who_pauses_between_claims_gets_nothing_leased() {
    open(options -> options.delayBetweenReads(Duration.ofMillis(1)));
    startIdle();
    fixture.write("one");
    awaitAll();

    assertThat(door.leased).isEmpty();
  }

  @Test
  void what_was_being_stored_when_the_engine_stopped_is_given_back() throws Exception {
    open(options -> {});
    door.gate = new CountDownLatch(1);
    startIdle();
    CompletableFuture<UUID> written = CompletableFuture.supplyAsync(() -> fixture.write("late"));
    Await.latch(door.stored);
    fixture.mailroom().close();
    door.gate.countDown();
    UUID id = Await.value(written);

    assertThat(door.leased).containsExactly(id);
    assertThat(fixture.state(id)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(handled).isEmpty();
  }

  @Test
  void what_was_being_stored_when_the_inbox_was_paused_is_given_back() throws Exception {
    open(options -> {});
    door.gate = new CountDownLatch(1);
    startIdle();
    CompletableFuture<UUID> written = CompletableFuture.supplyAsync(() -> fixture.write("late"));
    Await.latch(door.stored);
    fixture.mailroom().pause(EngineFixture.INBOX);
    door.gate.countDown();
    UUID id = Await.value(written);

    Await.until("it is given back", () -> fixture.state(id) == MessageState.READY);
    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(handled).isEmpty();
  }
}
