package dev.mailroom.outbox;

import static dev.mailroom.outbox.OutboxFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.DurableExecution;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.MediatorHandlerOptions;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Trace;
import dev.mailroom.outbox.spi.Dispatcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Events to the handlers of this process, after the commit. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EventDispatcherTest {
  private final List<String> seen = new ArrayList<>();
  private final List<DurableExecution> executions = new ArrayList<>();
  private boolean failing;

  private Mediator mediator() {
    return Mediator.builder()
        .event(
            String.class,
            (event, context) -> {
              seen.add("first " + event);
              executions.add(context.durable());
            })
        .event(
            String.class,
            (event, context) -> {
              if (failing) {
                throw new IOException("no line");
              }
              seen.add("second " + event);
            })
        .event(
            String.class,
            (event, context) -> seen.add("tagged " + event),
            MediatorHandlerOptions.of(options -> options.tags("replay")))
        .build();
  }

  @Test
  void every_handler_of_an_event_sees_the_stored_message_behind_it() {
    OutboxFixture fixture = new OutboxFixture(new EventDispatcher(mediator()));
    UUID id = new UUID(4, 2);
    fixture.outbox.add(
        "placed",
        options ->
            options
                .messageId(id)
                .correlationId("conversation")
                .causationId("request")
                .tenant("acme"));

    assertThat(fixture.outbox.processPending()).isEqualTo(1);

    assertThat(seen).containsExactly("first placed", "second placed");
    assertThat(executions)
        .containsExactly(
            new DurableExecution(id, 1, "acme", new Trace("conversation", "request", null, null)));
    assertThat(fixture.open()).isZero();
  }

  @Test
  void a_handler_that_fails_brings_the_event_again_at_the_next_attempt() {
    OutboxFixture fixture = new OutboxFixture(new EventDispatcher(mediator()));
    failing = true;
    fixture.outbox.add("placed");
    fixture.outbox.processPending();
    assertThat(fixture.open()).isEqualTo(1);
    failing = false;
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(seen).containsExactly("first placed", "first placed", "second placed");
    assertThat(executions).extracting(DurableExecution::attempt).containsExactly(1, 2);
    assertThat(fixture.open()).isZero();
  }

  @Test
  void tags_choose_among_the_handlers() {
    CallOptions replay = CallOptions.of(options -> options.tags("replay"));
    OutboxFixture fixture = new OutboxFixture(new EventDispatcher(mediator(), replay));
    fixture.outbox.add("placed");
    fixture.outbox.processPending();

    assertThat(seen).containsExactly("first placed", "second placed", "tagged placed");
  }

  @Test
  void an_event_without_handlers_is_done() {
    OutboxFixture fixture = new OutboxFixture(new EventDispatcher(Mediator.builder().build()));
    fixture.outbox.add("placed");

    assertThat(fixture.outbox.processPending()).isEqualTo(1);
    assertThat(fixture.open()).isZero();
  }

  @Test
  void one_of_an_unknown_contract_is_parked_and_an_undecodable_one_is_dead() {
    OutboxFixture fixture = new OutboxFixture(new EventDispatcher(mediator()));
    Outbox newer = Outbox.builder().writeOnly().build();
    Mailroom.builder()
        .store(fixture.store)
        .time(fixture.time)
        .contract(String.class, "test.newer", 1)
        .contract(byte[].class, "test.text", 1)
        .codec(new JacksonCodec()) // which the other version does not have
        .add(newer)
        .build();
    newer.add("new");
    newer.add("bytes".getBytes(StandardCharsets.UTF_8));

    fixture.outbox.processPending();

    assertThat(seen).isEmpty();
    assertThat(fixture.open()).as("parked").isEqualTo(1);
    assertThat(fixture.deadLetters()).hasSize(1);
    assertThat(fixture.deadLetters().get(0).error().message())
        .contains("A payload of test.text v1 cannot be decoded");
  }

  @MessageContract(name = "orders.placed")
  record Placed(String order) {}

  private static Mailroom open(Outbox outbox, MemoryStore store) {
    return Mailroom.builder().store(store).codec(new JacksonCodec()).add(outbox).build();
  }

  private void publishWhatAnotherRecorded(Function<Dispatcher, Dispatcher> wrapped) {
    MemoryStore store = MemoryStore.create();
    Outbox recording = Outbox.builder().writeOnly().build();
    try (Mailroom mailroom = open(recording, store)) {
      recording.add(new Placed("4711"));
      assertThat(mailroom.inbox("outbox").inspect().counts().ready()).isEqualTo(1);
    }
    Mediator mediator =
        Mediator.builder().event(Placed.class, (event, context) -> seen.add(event.order())).build();

    Outbox publishing =
        Outbox.builder().dispatcher(wrapped.apply(new EventDispatcher(mediator))).build();
    try (Mailroom mailroom = open(publishing, store)) {
      mailroom.processPending();
    }

    assertThat(seen).containsExactly("4711");
  }

  @Test
  void what_was_recorded_before_a_restart_is_decoded_and_published() {
    publishWhatAnotherRecorded(dispatcher -> dispatcher);
  }

  @Test
  void what_was_recorded_before_a_restart_is_published_by_a_route_too() {
    publishWhatAnotherRecorded(
        dispatcher -> CompositeDispatcher.builder().contract("orders.placed", dispatcher).build());
  }
}
