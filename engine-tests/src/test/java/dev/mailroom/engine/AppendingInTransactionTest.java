package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Writes that are part of the caller's transaction. */
class AppendingInTransactionTest {
  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    fixture.handler(
        delivery -> {
          handled.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  @DisplayName("In the caller's transaction: visible only after its commit")
  void visibleAfterCommit() {
    noting();
    try (OpenTransaction transaction = fixture.store().begin()) {
      Receipt receipt = fixture.inbox().write("a", options -> options.in(transaction));
      assertThat(receipt.isDuplicate()).isFalse();
      assertThat(fixture.worker().run()).isZero();

      transaction.commit();
    }

    assertThat(fixture.worker().run()).isEqualTo(1);
    assertThat(handled).containsExactly("a");
  }

  @Test
  @DisplayName("In the caller's transaction: a rollback leaves nothing, not even a key")
  void rollback() {
    noting();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    try (OpenTransaction transaction = fixture.store().begin()) {
      fixture.write("a", key.toBuilder().in(transaction).build());
    }

    assertThat(fixture.worker().run()).isZero();
    assertThat(fixture.alive()).isZero();
    assertThat(fixture.inbox().write("b", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("The current transaction is joined, unless another is named")
  void currentTransaction() {
    AtomicReference<Transaction> current = new AtomicReference<>();
    fixture.settings(builder -> builder.currentTransaction(current::get));
    noting();
    try (OpenTransaction one = fixture.store().begin();
        OpenTransaction other = fixture.store().begin()) {
      current.set(one);
      fixture.write("joined");
      fixture.writeAll("these", "too");
      fixture.write("named", options -> options.in(other));
      assertThat(fixture.alive()).isZero();

      one.commit();
      current.set(null);
      fixture.write("alone");
    }

    fixture.worker().run();
    assertThat(handled).containsExactlyInAnyOrder("joined", "these", "too", "alone");
  }

  @Test
  @DisplayName("In the caller's transaction: batches, too")
  void batches() {
    noting();
    try (OpenTransaction transaction = fixture.store().begin()) {
      List<Outgoing> batch =
          List.of(
              new Outgoing("a", WriteOptions.defaults()),
              Outgoing.of("b", options -> options.strict()));
      assertThat(fixture.inbox().writeAll(batch, transaction)).hasSize(2);
      assertThat(fixture.alive()).isZero();
      transaction.commit();
    }

    assertThat(fixture.alive()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "In the caller's transaction: the store's wake-up comes after the commit and only then")
  void storeWakesAfterCommit() {
    noting();
    List<String> wakeUps = new ArrayList<>();
    try (WakeUps.Subscription subscription = fixture.store().subscribe(wakeUps::add);
        OpenTransaction transaction = fixture.store().begin()) {
      assertThat(subscription).isNotNull();
      fixture.write("a", options -> options.in(transaction));
      assertThat(wakeUps).isEmpty();

      transaction.commit();
    }

    assertThat(wakeUps).containsOnly(EngineFixture.INBOX);
  }

  @Test
  @DisplayName("In the caller's transaction: the engine is woken after the commit and only then")
  void engineWakesAfterCommit() {
    CountDownLatch done = new CountDownLatch(1);
    try (EngineFixture live = EngineFixture.live()) {
      WithoutWakeUps store = new WithoutWakeUps(live.failing);
      Duration hour = Duration.ofHours(1);
      live.options(options -> options.poll(hour, hour))
          .settings(builder -> builder.store(store))
          .handler(
              delivery -> {
                done.countDown();
                return Result.success();
              })
          .start();
      Await.fetcherRests(EngineFixture.INBOX);
      try (OpenTransaction transaction = live.store().begin()) {
        live.write("a", options -> options.in(transaction));
        transaction.commit();
      }
      Await.latch(done);
    }
  }

  /** A store without wake-ups of its own: the hint must come from the writer. */
  private static final class WithoutWakeUps extends ForwardingStore {
    WithoutWakeUps(FailingStore delegate) {
      super(delegate);
    }
  }

  @Test
  @DisplayName("In the caller's transaction: nothing is repeated, for a failure may have doomed it")
  void notRepeated() {
    noting();
    fixture.failing.fail(Verb.APPEND, 1);
    try (OpenTransaction transaction = fixture.store().begin()) {
      WriteOptions in = WriteOptions.builder().in(transaction).build();

      assertThatExceptionOfType(TransientStoreException.class)
          .isThrownBy(() -> fixture.write("a", in));
    }

    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(1);
  }

  @Test
  @DisplayName("A transaction of another kind is refused by the store, and nothing is stored")
  void foreignTransaction() {
    noting();
    Transaction foreign = action -> {};

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> fixture.write("a", options -> options.in(foreign)));
    assertThat(fixture.alive()).isZero();
  }
}
