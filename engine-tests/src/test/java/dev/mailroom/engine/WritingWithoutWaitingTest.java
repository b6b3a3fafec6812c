package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asynchronous writes: a future completes when its message is stored. */
@Timeout(60)
class WritingWithoutWaitingTest {
  private final EngineFixture fixture = EngineFixture.live();
  private final GatedStore store = new GatedStore(fixture.failing);

  private CompletableFuture<Receipt> write(String text) {
    return fixture.inbox().writeAsync(text, WriteOptions.defaults()).toCompletableFuture();
  }

  private void coalescing() {
    fixture
        .options(options -> options.coalescing(true))
        .settings(builder -> builder.store(store))
        .writeOnly();
  }

  @Test
  @DisplayName("One thread writes many messages, which are gathered, with a future for each")
  void gathered() {
    coalescing();
    List<CompletableFuture<Receipt>> writes = new ArrayList<>();
    writes.add(write("first"));
    Await.until("the first append is under way", () -> store.appends.size() == 1);
    for (int i = 0; i < 8; i++) {
      writes.add(write("other " + i));
    }
    assertThat(writes).noneMatch(CompletableFuture::isDone);
    assertThat(fixture.alive()).isZero();

    store.gate.countDown();

    for (CompletableFuture<Receipt> write : writes) {
      assertThat(write).succeedsWithin(30, TimeUnit.SECONDS);
      assertThat(write.join().isDuplicate()).isFalse();
    }
    assertThat(store.appends).containsExactly(1, 8);
    assertThat(fixture.alive()).isEqualTo(9);
  }

  @Test
  @DisplayName("Where nothing is gathered it is stored when the call returns")
  void notGathered() {
    store.gate.countDown();
    fixture.settings(builder -> builder.store(store)).writeOnly();

    assertThat(write("a")).isCompleted();
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("In a transaction it is part of it when the call returns")
  void inATransaction() {
    store.gate.countDown();
    coalescing();
    try (OpenTransaction transaction = fixture.store().begin()) {
      CompletableFuture<Receipt> write =
          fixture.inbox().writeAsync("a", options -> options.in(transaction)).toCompletableFuture();
      assertThat(write).isCompleted();
      assertThat(fixture.alive()).isZero();
      transaction.commit();
    }
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("What cannot be stored as it is fails at the call, and nothing is stored")
  void invalid() {
    coalescing();

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> fixture.inbox().writeAsync("x".repeat(2 << 20), WriteOptions.defaults()));
    assertThat(store.appends).isEmpty();
  }

  @Test
  @DisplayName("A repeated key is a duplicate of the first message")
  void duplicate() {
    store.gate.countDown();
    coalescing();
    WriteOptions keyed = WriteOptions.builder().deduplicationKey("k").build();
    Receipt first = fixture.inbox().writeAsync("a", keyed).toCompletableFuture().join();
    Receipt second = fixture.inbox().writeAsync("b", keyed).toCompletableFuture().join();

    assertThat(second.isDuplicate()).isTrue();
    assertThat(second.messageId()).isEqualTo(first.messageId());
  }
}
