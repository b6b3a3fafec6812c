package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.StorageRetry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Writes while the store is in failing: stored, not stored, or unknown. */
class StorageRetryTest {
  private static final StorageRetry QUICK =
      new StorageRetry(3, Backoff.fixed(Duration.ofMillis(1)));

  private final EngineFixture fixture = EngineFixture.manual();

  private void retrying(StorageRetry retry) {
    fixture.settings(builder -> builder.storageRetry(retry)).writeOnly();
  }

  @Test
  @DisplayName("Transient, then fine: accepted once")
  void transientThenFine() {
    retrying(QUICK);
    fixture.failing.fail(Verb.APPEND, 3);

    Receipt receipt = fixture.inbox().write("a");

    assertThat(receipt.status()).isEqualTo(Receipt.Status.ACCEPTED);
    assertThat(fixture.alive()).isEqualTo(1);
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(4);
  }

  @Test
  @DisplayName("Unknown is repeated under the same message id: accepted, and stored once")
  void unknownOutcome() {
    retrying(QUICK);
    fixture.failing.loseAnswer(Verb.APPEND, 1);

    Receipt receipt = fixture.inbox().write("a", options -> options.deduplicationKey("k").strict());

    assertThat(receipt.status()).isEqualTo(Receipt.Status.ACCEPTED);
    assertThat(fixture.alive()).isEqualTo(1);
    assertThat(fixture.isGone(receipt.messageId())).isFalse();
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(2);
  }

  @Test
  @DisplayName("Unknown, while another message holds the key: still a duplicate")
  void unknownDuplicate() {
    retrying(QUICK);
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    Receipt first = fixture.inbox().write("a", key);
    fixture.failing.loseAnswer(Verb.APPEND, 1);

    Receipt second = fixture.inbox().write("b", key);

    assertThat(second.isDuplicate()).isTrue();
    assertThat(second.messageId()).isEqualTo(first.messageId());
  }

  @Test
  @DisplayName("A batch is repeated as a whole: accepted once")
  void batch() {
    retrying(QUICK);
    fixture.failing.loseAnswer(Verb.APPEND, 2);

    assertThat(fixture.inbox().writeAll(List.of("a", "b", "c")))
        .hasSize(3)
        .noneMatch(Receipt::isDuplicate);
    assertThat(fixture.alive()).isEqualTo(3);
  }

  @Test
  @DisplayName("When retries do not help, the caller gets the error")
  void exhausted() {
    retrying(QUICK);
    fixture.failing.breakDown(Verb.APPEND);

    assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> fixture.write("a"));
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(4);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("none switches it off: the first failure goes to the caller")
  void none() {
    retrying(StorageRetry.builder().retries(0).build());
    fixture.failing.fail(Verb.APPEND, 1);

    assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> fixture.write("a"));
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(1);
  }

  @Test
  @DisplayName("What is not transient is not repeated")
  void fatal() {
    retrying(QUICK);
    fixture.failing.fail(Verb.APPEND, 1, () -> new StoreException("no such table"));

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> fixture.write("a"))
        .withMessage("no such table");
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(1);
  }

  @Test
  @DisplayName("An interrupted caller is not kept waiting, and stays interrupted")
  void interrupted() {
    retrying(new StorageRetry(3, Backoff.fixed(Duration.ofHours(1))));
    fixture.failing.breakDown(Verb.APPEND);
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> fixture.write("a"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(fixture.failing.calls(Verb.APPEND)).isEqualTo(1);
  }
}
