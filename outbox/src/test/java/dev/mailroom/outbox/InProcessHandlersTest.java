package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessHandlersTest {
  private final List<String> handled = new ArrayList<>();

  @MessageContract(name = "shop.placed")
  record Placed(String id) {}

  @MessageContract(name = "shop.paid")
  record Paid(String id) {}

  private static void addToAMailroom(Outbox outbox) {
    Mailroom.builder().store(MemoryStore.create()).codec(new JacksonCodec()).add(outbox).build();
  }

  @Test
  void handlersOfAnEventAreCalledInTheOrderTheyWereRegistered() {
    Outbox outbox =
        Outbox.builder()
            .on(Placed.class, event -> handled.add("first " + event.id()))
            .on(Placed.class, event -> handled.add("second " + event.id()))
            .on(Paid.class, event -> handled.add("paid " + event.id()))
            .build();
    addToAMailroom(outbox);
    outbox.add(new Placed("1"), options -> options.key("k"));
    outbox.add(new Paid("1"), options -> options.key("k"));

    assertThat(outbox.processPending()).isEqualTo(2);
    assertThat(handled).containsExactly("first 1", "second 1", "paid 1");
    assertThat(outbox.inspect().counts().ready()).isZero();
  }

  @Test
  void anEventWhoseHandlerThrowsBecomesADeadLetterThatCanBeRedriven() {
    Outbox outbox =
        Outbox.builder()
            .on(
                Placed.class,
                event -> {
                  handled.add(event.id());
                  if (handled.size() == 1) {
                    throw new IllegalStateException("no line");
                  }
                })
            .options(options -> options.retry(RetryPolicy.of(retry -> retry.attempts(1))))
            .build();
    addToAMailroom(outbox);
    outbox.add(new Placed("1"));
    outbox.processPending();
    assertThat(outbox.deadLetters().stream(DeadLetterFilter.all())).hasSize(1);

    assertThat(outbox.deadLetters().redrive(DeadLetterFilter.all())).isEqualTo(1);
    outbox.processPending();
    assertThat(handled).containsExactly("1", "1");
    assertThat(outbox.deadLetters().stream(DeadLetterFilter.all())).isEmpty();
  }

  @Test
  void aHandlerOfTheMessageGetsItsId() {
    Outbox outbox =
        Outbox.builder()
            .handler(Placed.class, (event, message) -> handled.add(event.id() + message.id()))
            .build();
    addToAMailroom(outbox);
    OutboxReceipt receipt = outbox.add(new Placed("1"));
    outbox.processPending();

    assertThat(handled).containsExactly("1" + receipt.messageId());
  }

  sealed interface Shipment permits Sent, Returned {}

  @MessageContract(name = "shop.sent")
  record Sent(String id) implements Shipment {}

  @MessageContract(name = "shop.returned")
  record Returned(String id) implements Shipment {}

  @Test
  void aHandlerOfASealedTypeGetsEventsOfItsSubtypesAlsoAfterARestart() {
    MemoryStore store = MemoryStore.create();
    Outbox recording = Outbox.builder().writeOnly().build();
    try (Mailroom writer = mailroom(store, recording)) {
      recording.add(new Sent("1"));
      recording.add(new Returned("2"));
      assertThat(writer.inbox("outbox").inspect().counts().ready()).isEqualTo(2);
    }
    Outbox outbox =
        Outbox.builder().on(Shipment.class, event -> handled.add(event.toString())).build();
    try (Mailroom mailroom = mailroom(store, outbox)) {
      assertThat(mailroom.processPending()).isEqualTo(2);
    }

    assertThat(handled).containsExactlyInAnyOrder("Sent[id=1]", "Returned[id=2]");
  }

  @Test
  void anUndecodableEventIsKeptEvenWithoutDeadLetters() {
    MemoryStore store = MemoryStore.create();
    Outbox outbox =
        Outbox.builder()
            .on(Placed.class, event -> handled.add(event.id()))
            .options(options -> options.deadLetters(false))
            .build();
    try (Mailroom mailroom = mailroom(store, outbox)) {
      byte[] text = "no JSON".getBytes(StandardCharsets.UTF_8);
      mailroom
          .inbox("outbox")
          .write(new Payload(new Contract("shop.placed", 1), "application/json", text));
      mailroom.processPending();

      assertThat(outbox.deadLetters().stream(DeadLetterFilter.all()))
          .extracting(letter -> letter.error().type())
          .containsExactly("undecodable");
    }
  }

  @Test
  void optionsThatAreSetInTwoCallsAddUp() {
    OutboxBuilder builder =
        Outbox.builder()
            .on(Placed.class, event -> {})
            .options(options -> options.concurrency(0))
            .options(options -> options.readBatch(0));

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("concurrency is 0", "readBatch is 0");
  }

  private static Mailroom mailroom(MemoryStore store, Outbox outbox) {
    return Mailroom.builder().store(store).codec(new JacksonCodec()).add(outbox).build();
  }

  @Test
  void anEventWithoutAHandlerIsParkedAndNotLost() {
    Outbox outbox = Outbox.builder().on(Placed.class, event -> handled.add(event.id())).build();
    addToAMailroom(outbox);
    outbox.add(new Paid("1"));
    outbox.processPending();

    assertThat(handled).isEmpty();
    assertThat(outbox.inspect().counts().scheduled()).isEqualTo(1);
  }

  @Test
  void handlersAndADispatcherExcludeEachOther() {
    OutboxBuilder both =
        Outbox.builder()
            .on(Placed.class, event -> handled.add(event.id()))
            .dispatcher(message -> Result.success());

    assertThatThrownBy(both::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("CompositeDispatcher");
  }
}
