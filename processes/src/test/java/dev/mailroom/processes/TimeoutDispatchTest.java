package dev.mailroom.processes;

import static dev.mailroom.processes.TimeoutsFixture.DESTINATION;
import static dev.mailroom.processes.TimeoutsFixture.SECOND;
import static dev.mailroom.processes.TimeoutsFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Delivery;
import dev.mailroom.HasGroupKey;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.commands.CommandSchedule;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Where timeouts go, and when, on a manual clock. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeoutDispatchTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  @MessageContract(name = "test.expire")
  record Expire(String order) implements Command, HasGroupKey {
    @Override
    public String groupKey() {
      return order;
    }
  }

  @Test
  void a_destination_sees_everything_that_the_timeout_brings() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      UUID id =
          fixture
              .timeouts
              .request(
                  text(
                      "hello",
                      SECOND,
                      options -> options.key("k").correlationId("c").header("count", 7)))
              .id();
      assertThat(fixture.fire()).as("not due").isEmpty();

      assertThat(fixture.fireAfter(SECOND)).containsExactly("hello");

      FiredTimeout fired = fixture.fired.get(0);
      assertThat(fired.id()).isEqualTo(id);
      assertThat(fired.key()).isEqualTo("k");
      assertThat(fired.correlationId()).isEqualTo("c");
      assertThat(fired.headers()).isEqualTo(Map.of("count", 7L));
      assertThat(fired.attempt()).isEqualTo(1);
      assertThat(fired.dueAt()).isEqualTo(time.now());
      assertThat(fixture.timeouts.stored().find(id)).as("done").isEmpty();
    }
  }

  @Test
  void an_inbox_gets_the_payload_with_its_own_keys_and_the_timeouts_headers() {
    List<Delivery<Expire>> received = new ArrayList<>();
    Timeouts timeouts = Timeouts.builder().inbox("expire", "orders").acceptWeakDurability().build();
    try (Mailroom mailroom =
        room(timeouts)
            .inbox(
                "orders",
                inbox ->
                    inbox
                        .options(options -> options.ordering(Ordering.REQUIRED))
                        .handler(
                            Expire.class,
                            delivery -> {
                              received.add(delivery);
                              return Result.success();
                            }))
            .build()) {
      UUID id =
          timeouts
              .request(
                  Timeout.of(
                      "expire",
                      options ->
                          options
                              .after(SECOND)
                              .payload(new Expire("4711"))
                              .correlationId("c")
                              .header("reason", "late")
                              .header("count", 7)))
              .id();
      time.advance(SECOND);
      mailroom.processPending("timeouts");
      mailroom.processPending("orders");

      assertThat(received).hasSize(1);
      Delivery<Expire> delivery = received.get(0);
      assertThat(delivery.id()).isEqualTo(id);
      assertThat(delivery.payload()).isEqualTo(new Expire("4711"));
      assertThat(delivery.groupKey()).isEqualTo("4711");
      assertThat(delivery.headers()).isEqualTo(Map.of("reason", "late", "count", "7"));
      assertThat(delivery.message().envelope().trace().correlationId()).isEqualTo("c");
      assertThat(delivery.message().envelope().trace().causationId()).isEqualTo(id.toString());
    }
  }

  @Test
  void an_inbox_in_another_store_gets_it_under_the_timeouts_id() {
    MemoryStore other = MemoryStore.builder().time(time).build();
    Timeouts timeouts = Timeouts.builder().inbox("expire", "orders").acceptWeakDurability().build();
    try (Mailroom mailroom = room(timeouts).inbox("orders", inbox -> inbox.store(other)).build()) {
      Timeout timeout =
          Timeout.of("expire", options -> options.after(Duration.ZERO).payload(new Expire("4711")));
      UUID id = timeouts.request(timeout).id();

      timeouts.processPending();

      assertThat(mailroom.inbox("orders").inspect().find(id)).isNotNull();
    }
  }

  @Test
  void an_inbox_that_is_not_there_is_an_error_when_the_mailroom_is_built() {
    Timeouts timeouts = Timeouts.builder().inbox("expire", "orders").acceptWeakDurability().build();

    assertThatThrownBy(() -> room(timeouts).build()).hasMessageContaining("'orders'");
  }

  @Test
  void a_command_schedule_is_a_destination_in_one_line() {
    List<String> expired = new ArrayList<>();
    Mediator mediator =
        Mediator.builder()
            .command(Expire.class, (command, context) -> expired.add(command.order()))
            .build();
    CommandSchedule commands = CommandSchedule.builder().mediator(mediator).build();
    Timeouts timeouts =
        Timeouts.builder()
            .destination(
                "expire",
                timeout -> {
                  commands.schedule(
                      timeout.payload(Expire.class), options -> options.in(timeout.transaction()));
                  return Result.success();
                })
            .acceptWeakDurability()
            .build();
    try (Mailroom mailroom = room(timeouts).add(commands).build()) {
      timeouts.request("expire", options -> options.after(SECOND).payload(new Expire("4711")));
      time.advance(SECOND);
      mailroom.processPending();
      mailroom.processPending();

      assertThat(expired).containsExactly("4711");
    }
  }

  @Test
  void a_process_is_a_destination_in_one_line() {
    Processes<OrderFlow.Order> orders =
        Processes.of("orders", OrderFlow.Order.class)
            .initial(key -> new OrderFlow.Order(key, "new", 0))
            .starts(
                Expire.class,
                Expire::order,
                (step, expire) -> new OrderFlow.Order(step.key(), "expired", 0))
            .build();
    Timeouts timeouts =
        Timeouts.builder()
            .destination(
                "expire",
                timeout -> {
                  orders.send(
                      timeout.payload(Expire.class), options -> options.in(timeout.transaction()));
                  return Result.success();
                })
            .acceptWeakDurability()
            .build();
    try (Mailroom mailroom = room(timeouts).add(orders).build()) {
      timeouts.request("expire", options -> options.after(SECOND).payload(new Expire("4711")));
      time.advance(SECOND);
      mailroom.processPending();
      mailroom.processPending();

      assertThat(orders.find("4711").orElseThrow().state().status()).isEqualTo("expired");
    }
  }

  private MailroomBuilder room(Timeouts timeouts) {
    return Mailroom.builder().store(store).time(time).codec(new JacksonCodec()).add(timeouts);
  }

  @Test
  void requested_in_a_transaction_it_is_stored_only_by_its_commit() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      try (Transactional.OpenTransaction undone = store.begin()) {
        fixture.timeouts.request(text("undone", Duration.ZERO, options -> options.in(undone)));
      }
      try (Transactional.OpenTransaction done = store.begin()) {
        fixture.timeouts.request(text("done", Duration.ZERO, options -> options.in(done)));
        assertThat(fixture.fire()).isEmpty();
        done.commit();
      }

      assertThat(fixture.fire()).containsExactly("done");
    }
  }

  @Test
  void the_engine_rests_until_the_next_one_is_due_and_no_longer_than_a_poll() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      ManualEngine engine = new ManualEngine(fixture.mailroom, fixture.timeouts.name());
      assertThat(engine.fetch()).isEqualTo(TimeoutsBuilder.DEFAULT_POLL);
      assertThat(engine.fetch()).as("also in the long run").isEqualTo(TimeoutsBuilder.DEFAULT_POLL);
      fixture.request("a", Duration.ofMillis(300));

      assertThat(engine.fetch()).isBetween(Duration.ofMillis(300), Duration.ofMillis(301));
    }
  }

  @Test
  void a_slow_answer_of_the_store_makes_none_late() {
    Store slow =
        new ForwardingStore(store) {
          @Override
          public Claim lease(Channel channel, LeaseRequest request) {
            Claim claim = super.lease(channel, request);
            time.advance(Duration.ofMillis(100));
            return claim;
          }
        }.withCapabilities();
    try (TimeoutsFixture fixture = new TimeoutsFixture(slow, time)) {
      ManualEngine engine = new ManualEngine(fixture.mailroom, fixture.timeouts.name());
      fixture.request("a", Duration.ofMillis(300));

      assertThat(engine.fetch()).isBetween(Duration.ofMillis(200), Duration.ofMillis(201));
    }
  }

  @Test
  void the_engine_reaps_at_a_quarter_of_the_lease() {
    assertReapsEvery(Duration.ofSeconds(75), options -> {});
    assertReapsEvery(SECOND, options -> options.lease(Duration.ofSeconds(4)));
    assertReapsEvery(Duration.ofMinutes(1), options -> options.reclaim(Duration.ofMinutes(1)));
  }

  private void assertReapsEvery(Duration interval, Consumer<InboxOptionsBuilder> options) {
    try (TimeoutsFixture fixture =
        new TimeoutsFixture(
            store, time, more -> more.options(options), more -> more.cleanUp(false))) {
      ManualEngine engine = new ManualEngine(fixture.mailroom, fixture.timeouts.name());

      assertThat(engine.sweep()).isEqualTo(interval);
    }
  }

  @Test
  void what_came_due_during_a_pause_fires_at_once_when_it_ends() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      for (int i = 0; i < 300; i++) {
        fixture.request("t" + i, Duration.ofMinutes(i));
      }

      assertThat(fixture.fireAfter(Duration.ofDays(1))).hasSize(300).doesNotHaveDuplicates();
    }
  }

  @Test
  void one_that_this_process_does_not_serve_waits_for_one_that_does() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      fixture.timeouts.request(
          "far away", options -> options.after(Duration.ZERO).payload("a").key("k"));
      fixture.timeouts.processPending();
      FoundTimeout parked = fixture.timeouts.stored().find("k").orElseThrow();
      assertThat(parked.timeout().message().progress().attempts()).isZero();
      assertThat(String.valueOf(parked.timeout().message().progress().lastError()))
          .contains("'far away'");

      List<String> arrived = new ArrayList<>();
      try (TimeoutsFixture there =
          new TimeoutsFixture(
              store,
              time,
              more ->
                  more.name(fixture.timeouts.name())
                      .destination(
                          "here",
                          timeout -> {
                            arrived.add(timeout.payload(String.class));
                            return Result.success();
                          }),
              more -> {})) {
        assertThat(there.timeouts.cancel("k")).isTrue();
        there.timeouts.request("here", options -> options.after(Duration.ZERO).payload("b"));
        there.fire();
      }
      assertThat(arrived).containsExactly("b");
    }
  }

  @Test
  void one_with_an_unknown_contract_is_parked_and_one_that_cannot_be_decoded_dies() {
    String name = "timeouts";
    Timeouts writing =
        Timeouts.builder().remoteDestinations(DESTINATION).acceptWeakDurability().build();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .time(time)
            .codec(new JacksonCodec())
            .contract(Expire.class, "only.here", 1)
            .contract(String.class, "test.text", 1)
            .add(writing)
            .build()) {
      assertThat(mailroom.isRunning()).isFalse();
      writing.request(
          DESTINATION,
          options -> options.after(Duration.ZERO).payload(new Expire("1")).key("unknown"));
      writing.request(DESTINATION, options -> options.after(Duration.ZERO).payload("as JSON"));
    }
    try (TimeoutsFixture fixture =
        new TimeoutsFixture(store, time, more -> more.name(name), more -> {})) {
      fixture.timeouts.processPending();

      assertThat(fixture.timeouts.stored().find("unknown").orElseThrow().timeout().message())
          .extracting(message -> message.progress().attempts())
          .isEqualTo(0);
      assertThat(dead(fixture))
          .extracting(each -> each.error().message())
          .singleElement()
          .asString()
          .contains("application/json");
    }
  }

  private static List<DeadLetter> dead(TimeoutsFixture fixture) {
    return fixture.timeouts.deadLetters().list(DeadLetterFilter.all(), 10).letters();
  }

  @Test
  void a_dead_timeout_can_be_redriven() {
    try (TimeoutsFixture fixture = new TimeoutsFixture(store, time)) {
      fixture.poison.add("bad");
      fixture.request("bad", Duration.ZERO);
      for (int i = 0; i < 3; i++) {
        assertThat(fixture.fireAfter(SECOND)).containsExactly("bad");
      }
      assertThat(dead(fixture))
          .extracting(each -> each.error().message())
          .containsExactly("poison");
      fixture.poison.clear();

      assertThat(fixture.timeouts.deadLetters().redrive(DeadLetterFilter.all())).isEqualTo(1);

      assertThat(fixture.fire()).containsExactly("bad");
      assertThat(dead(fixture)).isEmpty();
    }
  }
}
