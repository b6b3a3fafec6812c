package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JoiningTransactionTest {
  private final OutboxFixture.Clerk clerk = new OutboxFixture.Clerk();
  private final OutboxFixture office = new OutboxFixture(clerk);

  @Test
  void an_event_is_published_only_after_the_commit_of_its_transaction() {
    try (OpenTransaction transaction = office.store.begin()) {
      office.outbox.add("a", options -> options.in(transaction));
      assertThat(office.outbox.processPending()).isZero();
      transaction.commit();
    }

    assertThat(office.outbox.processPending()).isEqualTo(1);
  }

  @Test
  void a_rollback_leaves_nothing() {
    EventOptions own = EventOptions.builder().messageId(new UUID(4, 2)).build();
    try (OpenTransaction transaction = office.store.begin()) {
      office.outbox.add("a", own.toBuilder().in(transaction).build());
    }

    assertThat(office.outbox.processPending()).isZero();
    assertThat(office.outbox.add("a", own).isDuplicate()).isFalse();
  }

  @Test
  void it_joins_the_transaction_that_its_thread_is_in() {
    try (OpenTransaction transaction = office.store.begin()) {
      office.current = transaction;
      office.outbox.add("rolled back");
      office.current = null;
    }
    try (OpenTransaction transaction = office.store.begin()) {
      office.current = transaction;
      office.outbox.add("committed");
      office.current = null;
      transaction.commit();
    }

    office.outbox.processPending();

    assertThat(clerk.calls).containsExactly("committed");
  }
}
