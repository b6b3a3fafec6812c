package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Nothing is written through a facade whose mailroom is closed. */
class ClosedMailroomTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  private static void refused(ThrowingCallable write) {
    assertThatIllegalStateException()
        .isThrownBy(write)
        .withMessageContainingAll("closed", "nothing was stored");
  }

  @Test
  void timeouts() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      fixture.mailroom.close();

      refused(
          () ->
              fixture.timeouts.request(Timeout.after(TimeoutsFixture.DESTINATION, Duration.ZERO)));
      assertThat(fixture.timeouts.inspect().counts().ready()).isZero();
    }
  }

  @Test
  void processes() {
    OrderFlow flow = new OrderFlow(store, time);
    flow.mailroom.close();

    refused(() -> flow.orders.send(new Placed("1")));
    assertThatIllegalStateException().isThrownBy(flow.orders::processPending);
    assertThat(flow.orders.inspect().counts().ready()).isZero();
  }

  @Test
  void aggregations() {
    Aggregation<String> texts =
        Aggregation.of("texts", String.class)
            .key(text -> text)
            .count(2)
            .within(Duration.ofMinutes(1))
            .handler(aggregate -> Result.success())
            .build();
    Mailroom.builder()
        .store(store)
        .time(time)
        .contract(String.class, "test.text", 1)
        .add(texts)
        .build()
        .close();

    refused(() -> texts.add("a"));
  }
}
