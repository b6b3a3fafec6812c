package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Limits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A clear error at the earliest moment, and nothing half-stored. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadInputTest {
  private final OutboxFixture fixture = new OutboxFixture(new OutboxFixture.RecordingDispatcher());

  private void refused(Object event, EventOptions options, String... words) {
    assertThatThrownBy(() -> fixture.outbox.add(event, options)).hasMessageContainingAll(words);
    assertThat(fixture.open()).isZero();
  }

  @Test
  void an_event_without_a_contract() {
    assertThatThrownBy(() -> fixture.outbox.add(4711))
        .isInstanceOf(UnknownContractException.class)
        .hasMessageContainingAll("java.lang.Integer", "@MessageContract");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void an_event_without_a_contract_where_routes_are_looked_at_first() {
    OutboxFixture routed =
        new OutboxFixture(
            CompositeDispatcher.builder()
                .topic("here", new OutboxFixture.RecordingDispatcher())
                .build());

    assertThatThrownBy(() -> routed.outbox.add(4711, options -> options.topic("here")))
        .isInstanceOf(UnknownContractException.class);
    assertThatThrownBy(() -> routed.outbox.add(null, options -> options.topic("here")))
        .isInstanceOf(InvalidMessageException.class);
    assertThat(routed.open()).isZero();
  }

  @Test
  void an_event_that_is_too_large() {
    refused("x".repeat(1_001), EventOptions.defaults(), "test.text", "1001 bytes", "at most 1000");
  }

  @Test
  void no_event_at_all() {
    refused(null, EventOptions.defaults(), "'outbox'", "null");
  }

  @Test
  void a_blank_key_or_topic_or_name() {
    for (String blank : List.of("", " ")) {
      assertInvalid(() -> EventOptions.builder().key(blank).build(), "key of an event is blank");
      assertInvalid(() -> EventOptions.builder().topic(blank).build(), "topic is blank");
      assertInvalid(() -> EventOptions.builder().tenant(blank).build(), "tenant is blank");
      assertInvalid(
          () -> EventOptions.builder().correlationId(blank).build(), "correlation id is blank");
      assertInvalid(
          () -> EventOptions.builder().causationId(blank).build(), "causation id is blank");
      assertInvalid(
          () -> EventOptions.builder().header(blank, "x").build(), "header name is blank");
    }
  }

  @Test
  void a_key_or_topic_that_is_too_long() {
    String tooLong = "k".repeat(Limits.KEY_LENGTH + 1);
    assertInvalid(() -> EventOptions.builder().key(tooLong).build(), "257 characters");
    assertInvalid(() -> EventOptions.builder().topic(tooLong).build(), "257 characters");
  }

  @Test
  void a_header_that_is_the_outboxs_own() {
    assertInvalid(
        () -> EventOptions.builder().header("mailroom-topic", "elsewhere").build(),
        "'mailroom-topic'");
    assertInvalid(
        () -> EventOptions.builder().header("Mailroom-Anything", "x").build(),
        "choose another name");
  }

  @Test
  void a_header_that_is_too_long() {
    refused(
        "x",
        EventOptions.builder().header("color", "r".repeat(4_097)).build(),
        "header 'color'",
        "4097");
  }

  @Test
  void an_outbox_that_belongs_to_no_mailroom() {
    Outbox alone = Outbox.builder().writeOnly().name("alone").build();

    assertThatIllegalStateException()
        .isThrownBy(() -> alone.add("x"))
        .withMessageContaining("outbox 'alone' belongs to no mailroom");
    assertThatIllegalStateException().isThrownBy(alone::processPending);
  }

  @Test
  void an_outbox_of_a_closed_mailroom() {
    fixture.mailroom.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> fixture.outbox.add("x"))
        .withMessageContainingAll("'outbox'", "closed", "nothing was stored");
    assertThatIllegalStateException().isThrownBy(fixture.outbox::processPending);
    assertThat(fixture.outbox.inspect().counts().ready()).isZero();
  }

  @Test
  void a_delay_that_is_negative() {
    assertThatThrownBy(
            () -> fixture.outbox.add("x", options -> options.delay(Duration.ofSeconds(-1))))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("delay is PT-1S", "must not be negative");
  }

  @Test
  void an_outbox_for_two_mailrooms() {
    MailroomBuilder second = Mailroom.builder().store(MemoryStore.create()).add(fixture.outbox);

    assertThatIllegalStateException()
        .isThrownBy(second::build)
        .withMessageContaining("'outbox' belongs to a mailroom already");
  }

  @Test
  void an_outbox_without_a_dispatcher_or_with_two() {
    assertThatThrownBy(() -> Outbox.builder().build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("writeOnly()");
    assertThatThrownBy(
            () ->
                Outbox.builder()
                    .dispatcher(new OutboxFixture.RecordingDispatcher())
                    .writeOnly()
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("writeOnly()");
    assertThatThrownBy(() -> Outbox.builder().name(" "))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("outbox name is blank");
  }

  private static void assertInvalid(Runnable call, String words) {
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(words);
  }
}
