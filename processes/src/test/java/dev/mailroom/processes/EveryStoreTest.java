package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.processes.OrderFlow.Order;
import dev.mailroom.processes.OrderFlow.Paid;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes and aggregation, on every store there is. */
class EveryStoreTest {
  private final ManualTime time = new ManualTime();

  @ParameterizedTest
  @EnumSource
  @DisplayName("an order is reminded, paid or given up, and its timeouts go with it")
  void lives(Stores kind) {
    try (Stores.Place place = kind.open()) {
      OrderFlow flow = new OrderFlow(place.store(time), time);
      flow.orders.send(new Placed("paid"));
      flow.orders.send(new Placed("unpaid"));
      flow.run();
      time.advance(OrderFlow.DAY);
      flow.run();
      assertThat(flow.orders.list(ProcessFilter.all(), 10).instances())
          .extracting(ProcessInstance::state)
          .containsExactly(new Order("paid", "waiting", 1), new Order("unpaid", "waiting", 1));

      flow.orders.send(new Paid("paid"));
      flow.run();
      time.advance(OrderFlow.DAY.multipliedBy(2));
      flow.run();

      assertThat(flow.orders.list(ProcessFilter.all(), 10).instances()).isEmpty();
      assertThat(flow.mail())
          .containsExactlyInAnyOrder(
              "confirmed paid",
              "confirmed unpaid",
              "reminded paid",
              "reminded unpaid",
              "shipped paid");
      assertThat(flow.undone()).containsExactly("unconfirm unpaid", "unreserve unpaid");
      assertThat(flow.waiting()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("messages are collected by count and by time")
  void collects(Stores kind) {
    try (Stores.Place place = kind.open()) {
      List<String> batches = new ArrayList<>();
      Aggregation<String> texts = aggregation(place.store(time), batches);
      List.of("a1", "b1", "a2", "a3", "a4").forEach(texts::add);
      texts.processPending();
      assertThat(batches).containsExactly("a[a1, a2, a3]");

      time.advance(Duration.ofMinutes(1));
      texts.processPending();
      assertThat(batches).hasSize(3).contains("a[a4]", "b[b1]");
    }
  }

  private Aggregation<String> aggregation(Store store, List<String> batches) {
    Aggregation<String> made =
        Aggregation.of("texts", String.class)
            .key(text -> text.substring(0, 1))
            .count(3)
            .within(Duration.ofMinutes(1))
            .handler(
                aggregate -> {
                  batches.add(aggregate.key() + aggregate.messages());
                  return Result.success();
                })
            .build();
    Mailroom.builder()
        .store(store)
        .time(time)
        .contract(String.class, "test.text", 1)
        .add(made)
        .build();
    return made;
  }
}
