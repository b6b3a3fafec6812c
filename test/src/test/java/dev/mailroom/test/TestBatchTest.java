package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.Result;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TestBatchTest {
  private static final Transaction TRANSACTION = action -> {};

  private final TestBatch<String> batch = TestBatch.of(List.of("a", "b", "c"));

  @Test
  void results_come_in_the_order_of_the_payloads() throws Exception {
    List<Result> results =
        batch.handle(
            given ->
                given
                    .results()
                    .add(given.deliveries().get(1), Result.deadLetter("bad"))
                    .add(given.deliveries().get(0), Result.success()));

    assertThat(results.subList(0, 2)).containsExactly(Result.success(), Result.deadLetter("bad"));
    assertThat(results.get(2).isSuccess()).as("left out").isFalse();
  }

  @Test
  void one_answer_can_be_for_all() throws Exception {
    assertThat(batch.handle(given -> given.allSucceeded()))
        .containsExactly(Result.success(), Result.success(), Result.success());
  }

  @Test
  void an_answer_for_a_message_that_is_not_in_the_batch_fails_the_test() {
    UUID stranger = new UUID(0, 1);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> batch.handle(given -> given.results().add(stranger, Result.success())))
        .withMessageContaining(stranger.toString());
  }

  @Test
  void a_common_group_is_that_of_the_batch_and_the_transaction_is_shared() {
    TestBatch<String> grouped =
        TestBatch.of(List.of("a", "b"), options -> options.groupKey("g").transaction(TRANSACTION));

    assertThat(grouped.batch().groupKey()).isEqualTo("g");
    assertThat(grouped.batch().transaction()).isSameAs(TRANSACTION);
    assertThat(grouped.deliveries()).allMatch(TestDelivery::hasBegunTransaction);
    assertThat(batch.batch().groupKey()).isNull();
    assertThat(
            TestBatch.of(List.of("a", "b"), (payload, options) -> options.groupKey(payload))
                .batch()
                .groupKey())
        .isNull();
  }

  @Test
  void a_batch_without_messages_or_with_one_id_twice_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> TestBatch.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> TestBatch.of(List.of("a", "b"), options -> options.messageId(new UUID(0, 1))))
        .withMessageContaining(new UUID(0, 1).toString());
  }
}
