package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JoiningTransactionTest {
  private final OutboxFixture.RecordingDispatcher recorder =
      new OutboxFixture.RecordingDispatcher();
  private final OutboxFixture fixture = new OutboxFixture(recorder);

  @Test
  void an_event_is_published_only_after_the_commit_of_its_transaction() {
    try (OpenTransaction transaction = fixture.store.begin()) {
      fixture.outbox.add("a", options -> options.in(transaction));
      assertThat(fixture.outbox.processPending()).isZero();
      transaction.commit();
    }

    assertThat(fixture.outbox.processPending()).isEqualTo(1);
  }

  @Test
  void a_rollback_leaves_nothing() {
    EventOptions own = EventOptions.builder().messageId(new UUID(4, 2)).build();
    try (OpenTransaction transaction = fixture.store.begin()) {
      fixture.outbox.add("a", own.toBuilder().in(transaction).build());
    }

    assertThat(fixture.outbox.processPending()).isZero();
    assertThat(fixture.outbox.add("a", own).isDuplicate()).isFalse();
  }

  @Test
  void it_joins_the_transaction_that_its_thread_is_in() {
    try (OpenTransaction transaction = fixture.store.begin()) {
      fixture.current = transaction;
      fixture.outbox.add("rolled back");
      fixture.current = null;
    }
    try (OpenTransaction transaction = fixture.store.begin()) {
      fixture.current = transaction;
      fixture.outbox.add("committed");
      fixture.current = null;
      transaction.commit();
    }

    fixture.outbox.processPending();

    assertThat(recorder.calls).containsExactly("committed");
  }
}
