package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Handler;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.Contract;
import dev.mailroom.transactions.Transaction;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TestDeliveryTest {
  private static final Transaction TRANSACTION = action -> {};

  @MessageContract(name = "orders.order-placed", version = 2)
  private record OrderPlaced(String id) {}

  @Test
  void a_handler_gets_what_the_test_gave() throws Exception {
    TestDelivery<String> delivery =
        TestDelivery.of(
            "a",
            options -> options.attempt(3).groupKey("g").header("h", "v").checkpoint("one", "done"));
    Handler<String> handler =
        given -> {
          assertThat(given.payload()).isEqualTo("a");
          assertThat(given.attempt()).isEqualTo(3);
          assertThat(given.groupKey()).isEqualTo("g");
          assertThat(given.headers()).isEqualTo(Map.of("h", "v"));
          assertThat(given.message().checkpoints()).isEqualTo(Map.of("one", "done"));
          given.checkpoint("two", "paid");
          return Result.success();
        };

    assertThat(handler.handle(delivery)).isEqualTo(Result.success());

    assertThat(delivery.checkpoints()).isEqualTo(Map.of("two", "paid"));
  }

  @Test
  void the_next_attempt_finds_the_checkpoints_of_this_one() {
    TestDelivery<String> delivery =
        TestDelivery.of("a", options -> options.checkpoint("one", "done"));
    delivery.checkpoint("two", "paid");

    TestDelivery<String> next = delivery.nextAttempt();

    assertThat(next.id()).isEqualTo(delivery.id());
    assertThat(next.attempt()).isEqualTo(2);
    assertThat(next.message().checkpoints()).isEqualTo(Map.of("one", "done", "two", "paid"));
    assertThat(next.checkpoints()).isEmpty();
  }

  @Test
  void the_contract_is_that_of_the_annotation_unless_it_is_given() {
    OrderPlaced order = new OrderPlaced("4711");

    assertThat(TestDelivery.of(order).message().contract())
        .isEqualTo(new Contract("orders.order-placed", 2));
    assertThat(TestDelivery.of(order, options -> options.contract("other", 1)).message().contract())
        .isEqualTo(new Contract("other", 1));
    assertThat(TestDelivery.of("a").message().contract())
        .isEqualTo(new Contract("test.payload", 1));
  }

  @Test
  void a_transaction_has_to_be_given() {
    TestDelivery<String> with = TestDelivery.of("a", options -> options.transaction(TRANSACTION));

    assertThat(with.hasBegunTransaction()).isFalse();
    assertThat(with.transaction()).isSameAs(TRANSACTION);
    assertThat(with.hasBegunTransaction()).isTrue();
    assertThat(with.nextAttempt().hasBegunTransaction()).isFalse();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> TestDelivery.of("a").transaction())
        .withMessageContaining("transaction(…)");
  }

  @Test
  void a_checkpoint_is_refused_where_the_engine_refuses_it() {
    TestDelivery<String> begun = TestDelivery.of("a", options -> options.transaction(TRANSACTION));
    begun.transaction();
    TestDelivery<String> lost = TestDelivery.of("a");
    lost.loseLease();
    TestDelivery<String> full = TestDelivery.of("a");
    for (int i = 0; i < 100; i++) {
      full.checkpoint("step " + i, "done");
    }

    assertThatIllegalStateException().isThrownBy(() -> begun.checkpoint("one", "done"));
    assertThat(lost.isLeaseLost()).isTrue();
    assertThatExceptionOfType(LeaseLostException.class)
        .isThrownBy(() -> lost.checkpoint("one", "done"));
    full.checkpoint("step 0", "again");
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> full.checkpoint("one more", "done"))
        .withMessageContaining("100");
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> TestDelivery.of("a").checkpoint(" ", "done"))
        .withMessageContaining("step");
  }

  @Test
  void attempts_count_from_one() {
    assertThat(TestDelivery.of("a").attempt()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestDelivery.of("a", options -> options.attempt(0)))
        .withMessageContaining("0");
  }
}
