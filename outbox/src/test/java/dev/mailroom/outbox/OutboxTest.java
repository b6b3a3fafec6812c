package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Receipt;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutboxTest {
  private final List<OutboxMessage> dispatched = new ArrayList<>();
  private final OutboxFixture fixture =
      new OutboxFixture(
          message -> {
            dispatched.add(message);
            return Result.success();
          });
  private final Outbox outbox = fixture.outbox;

  @Test
  void an_event_is_dispatched_with_all_it_was_added_with() {
    UUID id = new UUID(4, 2);
    OutboxReceipt receipt =
        outbox.add(
            "placed",
            options ->
                options
                    .messageId(id)
                    .topic("orders")
                    .key("order-1")
                    .correlationId("conversation")
                    .causationId("request")
                    .tenant("acme")
                    .header("color", "red"));

    assertThat(outbox.processPending()).isEqualTo(1);

    OutboxMessage message = dispatched.get(0);
    assertThat(message.id()).isEqualTo(id);
    assertThat(message.topic()).isEqualTo("orders");
    assertThat(message.key()).isEqualTo("order-1");
    assertThat(message.correlationId()).isEqualTo("conversation");
    assertThat(message.causationId()).isEqualTo("request");
    assertThat(message.tenant()).isEqualTo("acme");
    assertThat(message.headers()).isEqualTo(Map.of("color", "red"));
    assertThat(message.contract()).isEqualTo(new Contract("test.text", 1));
    assertThat(message.contentType()).isNotBlank();
    assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("placed");
    assertThat(message.event()).isEqualTo("placed");
    assertThat(message.attempt()).isEqualTo(1);
    assertThat(message.createdAt()).isEqualTo(receipt.acceptedAt());
    assertThat(receipt)
        .isEqualTo(
            new OutboxReceipt(
                id,
                new Contract("test.text", 1),
                fixture.time.now(),
                Receipt.Status.ACCEPTED,
                "conversation",
                "request",
                "acme"));
    assertThat(fixture.open()).isZero();
  }

  @Test
  void an_event_with_nothing_particular_has_nothing_particular() {
    outbox.add("plain");
    outbox.processPending();

    OutboxMessage message = dispatched.get(0);
    assertThat(message.topic()).isNull();
    assertThat(message.key()).isNull();
    assertThat(message.tenant()).isNull();
    assertThat(message.headers()).isEmpty();
    assertThat(message.toString()).contains(message.id().toString(), "test.text");
  }

  @Test
  void the_same_message_id_is_stored_and_dispatched_once() {
    EventOptions own = EventOptions.builder().messageId(new UUID(4, 2)).build();
    assertThat(outbox.add("once", own).isDuplicate()).isFalse();
    assertThat(outbox.add("once", own).isDuplicate()).isTrue();

    assertThat(outbox.processPending()).isEqualTo(1);
  }

  @Test
  void an_event_waits_until_it_is_visible() {
    outbox.add("later", options -> options.visibleAfter(fixture.time.now().plusSeconds(60)));

    assertThat(outbox.processPending()).isZero();
    fixture.time.advance(Duration.ofSeconds(60));
    assertThat(outbox.processPending()).isEqualTo(1);
  }
}
