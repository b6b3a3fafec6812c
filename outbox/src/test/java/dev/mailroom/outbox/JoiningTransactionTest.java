package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JoiningTransactionTest {
  private final Office.Clerk clerk = new Office.Clerk();
  private final Office office = new Office(clerk);

  @Test
  void an_event_is_published_only_after_the_commit_of_its_transaction() {
    try (OpenTransaction transaction = office.store.begin()) {
      office.outbox.add("a", EventOptions.NONE.in(transaction));
      assertThat(office.outbox.processPending()).isZero();
      transaction.commit();
    }

    assertThat(office.outbox.processPending()).isEqualTo(1);
  }

  @Test
  void a_rollback_leaves_nothing() {
    EventOptions own = EventOptions.NONE.messageId(new UUID(4, 2));
    try (OpenTransaction transaction = office.store.begin()) {
      office.outbox.add("a", own.in(transaction));
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
