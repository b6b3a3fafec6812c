package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.HasCollapseKey;
import dev.mailroom.HasDeduplicationKey;
import dev.mailroom.HasGroupKey;
import dev.mailroom.HasMessageId;
import dev.mailroom.HasReceivedAt;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A timeout has the keys that its request gave it, whatever its payload says of itself. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SelfDescribedTimeoutsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String DESTINATION = "billing";

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  @MessageContract(name = "test.once")
  record Once(String order) implements HasDeduplicationKey {
    @Override
    public String deduplicationKey() {
      return "once";
    }
  }

  @MessageContract(name = "test.latest")
  record Latest(String order) implements HasCollapseKey {
    @Override
    public String collapseKey() {
      return "latest";
    }
  }

  @MessageContract(name = "test.all")
  record All(String order)
      implements HasDeduplicationKey, HasCollapseKey, HasGroupKey, HasMessageId, HasReceivedAt {
    private static final UUID ID = new UUID(1, 2);

    @Override
    public String deduplicationKey() {
      return "all";
    }

    @Override
    public String collapseKey() {
      return "all";
    }

    @Override
    public String groupKey() {
      return "all";
    }

    @Override
    public UUID messageId() {
      return ID;
    }

    @Override
    public Instant receivedAt() {
      return Instant.EPOCH;
    }
  }

  private final List<String> came = new ArrayList<>();
  private final OrderFlow flow = new OrderFlow(store, time, this::described, builder -> {});

  private ProcessesBuilder<OrderFlow.Order> described(ProcessesBuilder<OrderFlow.Order> builder) {
    return builder
        .on(Once.class, Once::order, (step, once) -> came(step, "once"))
        .on(Latest.class, Latest::order, (step, latest) -> came(step, "latest"))
        .on(All.class, All::order, (step, all) -> came(step, "all"));
  }

  private OrderFlow.Order came(Step<OrderFlow.Order> step, String what) {
    came.add(what + " " + step.key());
    return step.state();
  }

  private void place(String order, OrderFlow.StepAction stepAction) {
    flow.stepAction = stepAction;
    flow.orders.send(new Placed(order));
    flow.run();
  }

  @Test
  void an_instance_gets_every_timeout_it_waits_for_though_their_deduplication_key_is_one() {
    OrderFlow.StepAction stepAction =
        step -> {
          step.timeout("first", HOUR, new Once(step.key()));
          step.timeout("second", HOUR, new Once(step.key()));
        };
    place("1", stepAction);
    time.advance(HOUR);
    flow.run();

    assertThat(came).containsExactly("once 1", "once 1");
    assertThat(flow.orders.find("1").orElseThrow().timeouts())
        .containsOnlyKeys("reminder", "overdue");
  }

  @Test
  void an_instance_leaves_the_timeouts_of_another_alone_though_their_collapse_key_is_one() {
    OrderFlow.StepAction stepAction = step -> step.timeout("t", HOUR, new Latest(step.key()));
    place("1", stepAction);
    place("2", stepAction);
    time.advance(HOUR);
    flow.run();

    assertThat(came).containsExactlyInAnyOrder("latest 1", "latest 2");
  }

  @Test
  void a_process_timeout_keeps_its_instance_tenant_and_trace_and_has_nothing_else() {
    flow.stepAction = step -> step.timeout("t", HOUR, new All(step.key()));
    WriteOptions options = WriteOptions.builder().tenant("them").correlationId("c").build();
    UUID cause = flow.orders.send(new Placed("1"), options).messageId();
    flow.run();

    Message timeout = timeoutOf("t");
    assertThat(timeout.routing()).isEqualTo(new Routing("them", "1", null, null));
    assertThat(timeout.id()).isNotEqualTo(All.ID);
    assertThat(timeout.timing().receivedAt()).isEqualTo(time.now());
    assertThat(timeout.envelope().trace().correlationId()).isEqualTo("c");
    assertThat(timeout.envelope().trace().causationId()).isEqualTo(cause.toString());
  }

  private Message timeoutOf(String name) {
    return flow
        .mailroom
        .inbox("orders")
        .inspect()
        .search(MessageFilter.all(), 100)
        .messages()
        .stream()
        .map(InspectedMessage::message)
        .filter(message -> name.equals(message.envelope().headers().get(StepCommit.TIMEOUT)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_requested_timeout_has_the_id_and_the_key_of_its_request_or_none() {
    List<Object> fired = new ArrayList<>();
    Timeouts timeouts = fixture(fired);
    TimeoutReceipt first = timeouts.request(all("1"));
    TimeoutReceipt second = timeouts.request(all("2"));
    timeouts.request(all("3").toBuilder().key("k").build());

    assertThat(second.isDuplicate()).isFalse();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(timeouts.stored().find("all")).as("a key that was never given").isEmpty();
    StoredTimeout stored = timeouts.stored().find(first.id()).orElseThrow().timeout();
    assertThat(stored.message().routing()).isEqualTo(Routing.NONE);
    assertThat(stored.message().timing().receivedAt()).isEqualTo(time.now());
    assertThat(timeouts.cancel("k")).isTrue();
    time.advance(HOUR);
    timeouts.processPending();
    assertThat(fired).containsExactlyInAnyOrder(new All("1"), new All("2"));
  }

  private static Timeout all(String order) {
    return Timeout.of(DESTINATION, options -> options.after(HOUR).payload(new All(order)));
  }

  private Timeouts fixture(List<Object> fired) {
    Timeouts timeouts =
        Timeouts.builder()
            .destination(
                DESTINATION,
                timeout -> {
                  fired.add(timeout.payload());
                  return Result.success();
                })
            .acceptWeakDurability()
            .build();
    Mailroom.builder().store(store).time(time).codec(new JacksonCodec()).add(timeouts).build();
    return timeouts;
  }

  @Test
  void a_timeout_that_a_step_requests_of_the_timeouts_has_its_keys_alone_too() {
    Timeouts timeouts = fixture(new ArrayList<>());

    assertThat(timeouts.message(all("1")).message().payload())
        .isEqualTo(OrderFlow.encoded("test.all", new All("1")));
  }
}
