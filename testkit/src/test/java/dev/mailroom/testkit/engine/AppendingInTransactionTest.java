package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Result;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.testkit.ForwardingStore;
import dev.mailroom.testkit.engine.TroubledStore.Verb;
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
  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    desk.handler(
        delivery -> {
          handled.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  @DisplayName("In the caller's transaction: visible only after its commit")
  void visibleAfterCommit() {
    noting();
    try (OpenTransaction transaction = desk.store().begin()) {
      Receipt receipt = desk.inbox().write("a", options -> options.in(transaction));
      assertThat(receipt.isDuplicate()).isFalse();
      assertThat(desk.worker().run()).isZero();

      transaction.commit();
    }

    assertThat(desk.worker().run()).isEqualTo(1);
    assertThat(handled).containsExactly("a");
  }

  @Test
  @DisplayName("In the caller's transaction: a rollback leaves nothing, not even a key")
  void rollback() {
    noting();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    try (OpenTransaction transaction = desk.store().begin()) {
      desk.write("a", key.in(transaction));
    }

    assertThat(desk.worker().run()).isZero();
    assertThat(desk.alive()).isZero();
    assertThat(desk.inbox().write("b", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("The current transaction is joined, unless another is named")
  void currentTransaction() {
    AtomicReference<Transaction> current = new AtomicReference<>();
    desk.settings(builder -> builder.currentTransaction(current::get));
    noting();
    try (OpenTransaction one = desk.store().begin();
        OpenTransaction other = desk.store().begin()) {
      current.set(one);
      desk.write("joined");
      desk.writeAll("these", "too");
      desk.write("named", options -> options.in(other));
      assertThat(desk.alive()).isZero();

      one.commit();
      current.set(null);
      desk.write("alone");
    }

    desk.worker().run();
    assertThat(handled).containsExactlyInAnyOrder("joined", "these", "too", "alone");
  }

  @Test
  @DisplayName("In the caller's transaction: batches, too")
  void batches() {
    noting();
    try (OpenTransaction transaction = desk.store().begin()) {
      List<Outgoing> batch =
          List.of(
              new Outgoing("a", WriteOptions.defaults()),
              Outgoing.of("b", options -> options.strict()));
      assertThat(desk.inbox().writeAll(batch, transaction)).hasSize(2);
      assertThat(desk.alive()).isZero();
      transaction.commit();
    }

    assertThat(desk.alive()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "In the caller's transaction: the store's wake-up comes after the commit and only then")
  void storeWakesAfterCommit() {
    noting();
    List<String> wakeUps = new ArrayList<>();
    try (WakeUps.Subscription subscription = desk.store().subscribe(wakeUps::add);
        OpenTransaction transaction = desk.store().begin()) {
      assertThat(subscription).isNotNull();
      desk.write("a", options -> options.in(transaction));
      assertThat(wakeUps).isEmpty();

      transaction.commit();
    }

    assertThat(wakeUps).containsOnly(Desk.INBOX);
  }

  @Test
  @DisplayName("In the caller's transaction: the engine is woken after the commit and only then")
  void engineWakesAfterCommit() {
    CountDownLatch done = new CountDownLatch(1);
    try (Desk live = Desk.live()) {
      Deafened store = new Deafened(live.trouble);
      Duration hour = Duration.ofHours(1);
      live.options(options -> options.poll(hour, hour))
          .settings(builder -> builder.store(store))
          .handler(
              delivery -> {
                done.countDown();
                return Result.success();
              })
          .start();
      Await.fetcherRests(Desk.INBOX);
      try (OpenTransaction transaction = live.store().begin()) {
        live.write("a", options -> options.in(transaction));
        transaction.commit();
      }
      Await.latch(done);
    }
  }

  /** A store without wake-ups of its own: the hint must come from the writer. */
  private static final class Deafened extends ForwardingStore {
    Deafened(TroubledStore delegate) {
      super(delegate);
    }
  }

  @Test
  @DisplayName("In the caller's transaction: nothing is repeated, for a failure may have doomed it")
  void notRepeated() {
    noting();
    desk.trouble.fail(Verb.APPEND, 1);
    try (OpenTransaction transaction = desk.store().begin()) {
      WriteOptions in = WriteOptions.builder().in(transaction).build();

      assertThatExceptionOfType(TransientStoreException.class)
          .isThrownBy(() -> desk.write("a", in));
    }

    assertThat(desk.trouble.calls(Verb.APPEND)).isEqualTo(1);
  }

  @Test
  @DisplayName("A transaction of another kind is refused by the store, and nothing is stored")
  void foreignTransaction() {
    noting();
    Transaction foreign = action -> {};

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> desk.write("a", options -> options.in(foreign)));
    assertThat(desk.alive()).isZero();
  }
}
