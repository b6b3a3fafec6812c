package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent single writes that are gathered into one append. */
@Timeout(60)
class CoalescingTest {
  private final EngineFixture fixture = EngineFixture.live();
  private final GatedStore store = new GatedStore(fixture.failing);

  /** A caller in a thread of its own. */
  private static final class Caller<T> extends FutureTask<T> {
    private final Thread thread = new Thread(this);

    private Caller(Callable<T> call) {
      super(call);
      thread.start();
    }

    private void awaitParked() {
      Await.until("the caller waits", () -> thread.getState() == Thread.State.WAITING);
    }
  }

  private void coalescing(Consumer<InboxOptionsBuilder> more) {
    fixture
        .options(options -> more.accept(options.coalescing(true)))
        .settings(builder -> builder.store(store))
        .writeOnly();
  }

  private Caller<Receipt> write(String text, WriteOptions options) {
    return new Caller<>(() -> fixture.inbox().write(text, options));
  }

  /** One caller's append waits at the gate; then others come. */
  private List<Caller<Receipt>> writeBehindAnAppend(int others) {
    List<Caller<Receipt>> callers = new ArrayList<>();
    callers.add(write("first", WriteOptions.defaults()));
    Await.until("the first append is under way", () -> store.appends.size() == 1);
    for (int i = 0; i < others; i++) {
      Caller<Receipt> caller = write("other " + i, WriteOptions.defaults());
      caller.awaitParked();
      callers.add(caller);
    }
    return callers;
  }

  @Test
  @DisplayName("Concurrent writes are gathered; each caller returns after its message is stored")
  void gathered() throws Exception {
    coalescing(options -> {});
    List<Caller<Receipt>> callers = writeBehindAnAppend(8);
    assertThat(callers).noneMatch(Caller::isDone);
    assertThat(fixture.alive()).isZero();

    store.gate.countDown();

    for (Caller<Receipt> caller : callers) {
      Receipt receipt = Await.value(caller);
      assertThat(receipt.isDuplicate()).isFalse();
      assertThat(fixture.isGone(receipt.messageId())).isFalse();
    }
    assertThat(store.appends).containsExactly(1, 8);
    assertThat(fixture.alive()).isEqualTo(9);
  }

  @Test
  @DisplayName("No more are gathered than the write batch")
  void writeBatch() throws Exception {
    coalescing(options -> options.writeBatch(3));
    List<Caller<Receipt>> callers = writeBehindAnAppend(8);

    store.gate.countDown();
    for (Caller<Receipt> caller : callers) {
      Await.value(caller);
    }

    assertThat(store.appends).containsExactly(1, 3, 3, 2);
  }

  @Test
  @DisplayName("As many appends run at once as the write concurrency says")
  void writeConcurrency() throws Exception {
    coalescing(options -> options.writeConcurrency(2));
    Caller<Receipt> first = write("a", WriteOptions.defaults());
    Await.until("the first append is under way", () -> store.appends.size() == 1);
    Caller<Receipt> second = write("b", WriteOptions.defaults());
    Await.until("two appends are under way", () -> store.appends.size() == 2);
    Caller<Receipt> third = write("c", WriteOptions.defaults());
    third.awaitParked();
    assertThat(store.appends).hasSize(2);

    store.gate.countDown();
    Await.value(first);
    Await.value(second);
    Await.value(third);

    assertThat(store.appends).containsExactly(1, 1, 1);
  }

  @Test
  @DisplayName("When the gathered batch fails, one bad message fails only its caller")
  void oneBadMessage() throws Exception {
    coalescing(options -> {});
    WriteOptions strict = WriteOptions.builder().deduplicationKey("k").strict().build();
    Caller<Receipt> first = write("first", strict);
    Await.until("the first append is under way", () -> store.appends.size() == 1);
    Caller<Receipt> good = write("good", WriteOptions.defaults());
    good.awaitParked();
    Caller<Receipt> bad = write("bad", strict);
    bad.awaitParked();
    Caller<Receipt> fine = write("fine", WriteOptions.defaults());
    fine.awaitParked();

    store.gate.countDown();

    assertThat(Await.value(first).isDuplicate()).isFalse();
    assertThat(Await.value(good).isDuplicate()).isFalse();
    assertThat(Await.value(fine).isDuplicate()).isFalse();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> Await.value(bad))
        .withCauseInstanceOf(ConflictingDuplicateException.class);
    assertThat(fixture.alive()).isEqualTo(3);
    assertThat(store.appends).startsWith(1, 3).hasSize(5);
  }

  @Test
  @DisplayName("Two callers with one key in one batch: one is accepted, one is a duplicate")
  void duplicateInOneBatch() throws Exception {
    coalescing(options -> {});
    Caller<Receipt> first = writeBehindAnAppend(0).get(0);
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    Caller<Receipt> one = write("one", key);
    one.awaitParked();
    Caller<Receipt> two = write("two", key);
    two.awaitParked();

    store.gate.countDown();
    Await.value(first);

    assertThat(Await.value(one).isDuplicate()).isFalse();
    assertThat(Await.value(two).isDuplicate()).isTrue();
    assertThat(Await.value(two).messageId()).isEqualTo(Await.value(one).messageId());
  }

  @Test
  @DisplayName("An interrupt does not keep a waiting caller from its receipt, nor is it lost")
  void interruptedCaller() throws Exception {
    coalescing(options -> {});
    Caller<Receipt> first = writeBehindAnAppend(0).get(0);
    Caller<Boolean> waiting =
        new Caller<>(
            () -> {
              fixture.inbox().write("a");
              return Thread.currentThread().isInterrupted();
            });
    waiting.awaitParked();
    waiting.thread.interrupt();

    store.gate.countDown();
    Await.value(first);

    assertThat(Await.value(waiting)).isTrue();
    assertThat(fixture.alive()).isEqualTo(2);
  }

  @Test
  @DisplayName("A write in a transaction, or a batch, is never gathered")
  void notGathered() throws Exception {
    coalescing(options -> {});
    store.gate.countDown();
    try (OpenTransaction transaction = fixture.store().begin()) {
      fixture.write("a", options -> options.in(transaction));
      fixture.write("b", options -> options.in(transaction));
      assertThat(fixture.alive()).isZero();
      transaction.commit();
    }
    fixture.writeAll("c", "d");

    assertThat(store.appends).containsExactly(1, 1, 2);
    assertThat(fixture.alive()).isEqualTo(4);
  }

  @Test
  @DisplayName("A single writer is never delayed")
  void singleWriter() {
    coalescing(options -> {});
    store.gate.countDown();

    fixture.write("a");
    fixture.write("b");

    assertThat(store.appends).containsExactly(1, 1);
  }
}
