package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.StateChange;
import dev.mailroom.spi.Telemetry.Counter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** State that a facade keeps beside its messages and changes together with them. */
class StateTest {
  private static final StateKey KEY = new StateKey("test", "one");
  private static final Payload VALUE =
      new Payload(new Contract("state", 1), "text/plain", "v".getBytes(StandardCharsets.UTF_8));

  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();
  private final List<Instant> leasedAt = new ArrayList<>();

  StateTest() {
    desk.handler(
        delivery -> {
          handled.add(delivery.payload());
          leasedAt.add(delivery.leasedAt());
          return Result.success();
        });
  }

  private static Outgoing outgoing(String text) {
    return new Outgoing(text, WriteOptions.defaults());
  }

  @Test
  void a_state_changes_together_with_messages_written_and_removed() {
    UUID victim = desk.write("victim");

    List<Receipt> receipts =
        desk.inbox()
            .commit(new StateChange(KEY, 0, VALUE), List.of(outgoing("a")), List.of(victim));

    assertThat(desk.inbox().state(KEY)).isEqualTo(new StoredState(1, VALUE));
    assertThat(receipts).extracting(Receipt::status).containsExactly(Receipt.Status.ACCEPTED);
    desk.worker().run();
    assertThat(handled).containsExactly("a");
    assertThat(desk.telemetry.sum(Counter.RECEIVED)).isEqualTo(2);
  }

  @Test
  void a_state_of_another_version_leaves_everything_as_it_was() {
    UUID victim = desk.write("victim");
    desk.inbox().commit(new StateChange(KEY, 0, VALUE), List.of(), List.of());

    assertThatExceptionOfType(VersionConflictException.class)
        .isThrownBy(
            () ->
                desk.inbox()
                    .commit(
                        new StateChange(KEY, 0, VALUE), List.of(outgoing("a")), List.of(victim)));

    desk.worker().run();
    assertThat(handled).containsExactly("victim");
  }

  @Test
  void an_encoded_payload_is_written_as_it_is() {
    Payload encoded = desk.inbox().encode("a");

    Receipt receipt = desk.inbox().write(encoded);

    assertThat(receipt.contract()).isEqualTo(new Contract(Desk.NOTE, 1));
    desk.worker().run();
    assertThat(handled).containsExactly("a");
  }

  @Test
  void an_encoded_payload_that_is_too_large_is_refused() {
    Payload large = new Payload(new Contract(Desk.NOTE, 1), "text/plain", new byte[2 << 20]);

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> desk.inbox().write(large))
        .withMessageContaining("2097152 bytes");
  }

  @Test
  void an_inbox_makes_ids_such_as_messages_get() {
    assertThat(desk.inbox().newMessageId().version()).isEqualTo(7);
    assertThat(desk.inbox().newMessageId()).isNotEqualTo(desk.inbox().newMessageId());
  }

  @Test
  void a_delivery_says_when_it_was_leased() {
    desk.write("a", options -> options.delay(Duration.ofMinutes(1)));
    desk.pass(Duration.ofMinutes(3));

    desk.worker().run();

    assertThat(leasedAt).containsExactly(desk.mailroom().time().now());
  }
}
