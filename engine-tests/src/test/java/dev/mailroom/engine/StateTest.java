package dev.mailroom.engine;

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

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();
  private final List<Instant> leasedAt = new ArrayList<>();

  StateTest() {
    fixture.handler(
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
    UUID cancelled = fixture.write("cancelled");

    List<Receipt> receipts =
        fixture
            .channel()
            .commit(new StateChange(KEY, 0, VALUE), List.of(outgoing("a")), List.of(cancelled));

    assertThat(fixture.channel().state(KEY)).isEqualTo(new StoredState(1, VALUE));
    assertThat(receipts).extracting(Receipt::status).containsExactly(Receipt.Status.ACCEPTED);
    fixture.worker().run();
    assertThat(handled).containsExactly("a");
    assertThat(fixture.telemetry.sum(Counter.RECEIVED)).isEqualTo(2);
  }

  @Test
  void a_state_of_another_version_leaves_everything_as_it_was() {
    UUID cancelled = fixture.write("cancelled");
    fixture.channel().commit(new StateChange(KEY, 0, VALUE), List.of(), List.of());

    assertThatExceptionOfType(VersionConflictException.class)
        .isThrownBy(
            () ->
                fixture
                    .channel()
                    .commit(
                        new StateChange(KEY, 0, VALUE),
                        List.of(outgoing("a")),
                        List.of(cancelled)));

    fixture.worker().run();
    assertThat(handled).containsExactly("cancelled");
  }

  @Test
  void an_encoded_payload_is_written_as_it_is() {
    Payload encoded = fixture.channel().encode("a");

    Receipt receipt = fixture.inbox().write(encoded);

    assertThat(receipt.contract()).isEqualTo(new Contract(EngineFixture.NOTE, 1));
    fixture.worker().run();
    assertThat(handled).containsExactly("a");
  }

  @Test
  void an_encoded_payload_that_is_too_large_is_refused() {
    Payload large =
        new Payload(new Contract(EngineFixture.NOTE, 1), "text/plain", new byte[2 << 20]);

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> fixture.inbox().write(large))
        .withMessageContaining("2097152 bytes");
  }

  @Test
  void an_inbox_makes_ids_such_as_messages_get() {
    assertThat(fixture.channel().newMessageId().version()).isEqualTo(7);
    assertThat(fixture.channel().newMessageId()).isNotEqualTo(fixture.channel().newMessageId());
  }

  @Test
  void a_delivery_says_when_it_was_leased() {
    fixture.write("a", options -> options.delay(Duration.ofMinutes(1)));
    fixture.pass(Duration.ofMinutes(3));

    fixture.worker().run();

    assertThat(leasedAt).containsExactly(fixture.context().time().now());
  }
}
