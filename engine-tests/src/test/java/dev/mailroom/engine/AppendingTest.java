package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Telemetry.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a write returns, and what becomes of its message. */
class AppendingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    fixture.handler(
        delivery -> {
          handled.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  @DisplayName("The receipt says: message id, contract name and version, accepted-at, accepted")
  void receipt() {
    fixture.writeOnly();
    fixture.pass(SECOND);

    Receipt receipt = fixture.inbox().write("a");

    assertThat(receipt.contract()).isEqualTo(new Contract(EngineFixture.NOTE, 1));
    assertThat(receipt.acceptedAt()).isEqualTo(fixture.time.now());
    assertThat(receipt.status()).isEqualTo(Receipt.Status.ACCEPTED);
    assertThat(receipt.isDuplicate()).isFalse();
    assertThat(receipt.messageId().version()).isEqualTo(7);
    assertThat(fixture.state(receipt.messageId())).isEqualTo(MessageState.READY);
    assertThat(fixture.telemetry.sum(Counter.RECEIVED)).isEqualTo(1);
  }

  @Test
  @DisplayName("The receipt of a duplicate: the id is the first message's")
  void duplicate() {
    fixture.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    Receipt first = fixture.inbox().write("a", key);
    fixture.pass(SECOND);

    Receipt second = fixture.inbox().write("other content", key);

    assertThat(second.status()).isEqualTo(Receipt.Status.DUPLICATE);
    assertThat(second.messageId()).isEqualTo(first.messageId());
    assertThat(second.acceptedAt()).isEqualTo(first.acceptedAt());
    assertThat(fixture.alive()).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.RECEIVED)).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.DUPLICATE)).isEqualTo(1);
  }

  @Test
  @DisplayName("Strict mode: a duplicate whose content differs is an error instead")
  void strict() {
    fixture.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").strict().build();
    UUID first = fixture.write("a", key);

    assertThat(fixture.inbox().write("a", key).isDuplicate()).isTrue();
    assertThatExceptionOfType(ConflictingDuplicateException.class)
        .isThrownBy(() -> fixture.write("b", key))
        .withMessageContaining(first.toString())
        .satisfies(error -> assertThat(error.original()).isEqualTo(first));
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("Deduplication: within its window, also after the first message is done")
  void deduplicationWindow() {
    fixture.options(options -> options.deduplicationWindow(SECOND)).handler(d -> Result.success());
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    fixture.write("a", key);
    fixture.worker().run();

    fixture.pass(SECOND.minusMillis(1));
    assertThat(fixture.inbox().write("a", key).isDuplicate()).isTrue();
    fixture.pass(SECOND);
    assertThat(fixture.inbox().write("a", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("Deduplication: for ever, where the window is null")
  void deduplicationForEver() {
    fixture.options(options -> options.deduplicationWindow(null)).handler(d -> Result.success());
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    fixture.write("a", key);
    fixture.worker().run();
    fixture.pass(Duration.ofDays(10_000));
    fixture.mailroom().cleanUp();

    assertThat(fixture.inbox().write("a", key).isDuplicate()).isTrue();
  }

  @Test
  @DisplayName("Keys compare by exact bytes; scope: tenant and key")
  void exactKeys() {
    fixture.writeOnly();
    for (String key : List.of("k", "K", "k ", " k", "ｋ")) {
      assertThat(fixture.inbox().write("a", options -> options.deduplicationKey(key)).isDuplicate())
          .as("'%s'", key)
          .isFalse();
    }
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    assertThat(fixture.inbox().write("a", key.toBuilder().tenant("t").build()).isDuplicate())
        .isFalse();
    assertThat(fixture.inbox().write("a", key.toBuilder().tenant("t").build()).isDuplicate())
        .isTrue();
  }

  @Test
  @DisplayName("Scope of keys: the channel")
  void keysOfTwoInboxes() {
    fixture.settings(builder -> builder.inbox("letters", inbox -> {})).writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    fixture.write("a", key);

    assertThat(fixture.mailroom().inbox("letters").write("a", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("Blank keys mean none")
  void blankKeys() {
    fixture.options(options -> options.ordering(Ordering.WHEN_KEYED)).writeOnly();
    WriteOptions blank =
        WriteOptions.builder()
            .deduplicationKey(" ")
            .collapseKey("")
            .groupKey("\t")
            .tenant("  ")
            .build();

    UUID first = fixture.write("a", blank);
    fixture.write("b", blank);

    assertThat(fixture.alive()).isEqualTo(2);
    assertThat(fixture.store().find(EngineFixture.CHANNEL, Target.id(first)).message().routing())
        .hasAllNullFieldsOrProperties();
  }

  @Test
  @DisplayName("Collapse key: a new message removes older ones that are not leased")
  void collapse() {
    noting();
    WriteOptions key = WriteOptions.builder().collapseKey("k").build();
    fixture.write("old", key);
    fixture.write("other", options -> options.collapseKey("l"));
    fixture.write("new", key);

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("other", "new");
  }

  @Test
  @DisplayName("Collapse and deduplication of the same message never delete both")
  void collapseOfADuplicate() {
    noting();
    WriteOptions both = WriteOptions.builder().collapseKey("k").deduplicationKey("k").build();
    fixture.write("first", both);

    assertThat(fixture.inbox().write("second", both).isDuplicate()).isTrue();
    fixture.worker().run();

    assertThat(handled).containsExactly("first");
  }

  @Test
  @DisplayName("A caller's own message id: writing the same id twice is a duplicate, not an error")
  void ownMessageId() {
    fixture.writeOnly();
    WriteOptions own = WriteOptions.builder().messageId(new UUID(4, 2)).build();

    assertThat(fixture.inbox().write("a", own).messageId()).isEqualTo(new UUID(4, 2));
    assertThat(fixture.inbox().write("b", own).isDuplicate()).isTrue();
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("A caller's own received-at is kept for display and age, never for order")
  void ownReceivedAt() {
    fixture.options(options -> options.ordering(Ordering.REQUIRED));
    noting();
    WriteOptions group = WriteOptions.builder().groupKey("a").build();
    fixture.write("first", group);
    UUID id =
        fixture.write(
            "second", group.toBuilder().receivedAt(fixture.time.now().minusSeconds(60)).build());

    assertThat(
            fixture
                .store()
                .find(EngineFixture.CHANNEL, Target.id(id))
                .message()
                .timing()
                .receivedAt())
        .isEqualTo(fixture.time.now().minusSeconds(60));
    fixture.worker().run();
    assertThat(handled).containsExactly("first", "second");
  }

  @Test
  @DisplayName("Visible-after and delay: not handled before; a time in the past means now")
  void visibleLater() {
    noting();
    fixture.write("delayed", options -> options.delay(SECOND));
    fixture.write(
        "visible after", options -> options.visibleAfter(fixture.time.now().plus(SECOND)));
    fixture.write("past", options -> options.visibleAfter(fixture.time.now().minusSeconds(1)));

    fixture.worker().run();
    assertThat(handled).containsExactly("past");
    assertThat(fixture.counts().scheduled()).isEqualTo(2);
    fixture.pass(SECOND.minusMillis(1));
    assertThat(fixture.worker().run()).isZero();
    fixture.pass(Duration.ofMillis(1));
    assertThat(fixture.worker().run()).isEqualTo(2);
  }

  @Test
  @DisplayName("A message can carry a lifetime: past it, dead-lettered as expired, not handled")
  void lifetime() {
    noting();
    UUID id = fixture.write("stale", options -> options.lifetime(SECOND));
    fixture.pass(SECOND.plusMillis(1));

    fixture.worker().run();

    assertThat(handled).isEmpty();
    assertThat(fixture.deadLetter().id()).isEqualTo(id);
    assertThat(fixture.deadLetter().error().type()).isEqualTo("expired");
  }

  @Test
  @DisplayName("Batch append: results in input order, duplicates within it included")
  void batchReceipts() {
    fixture.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();

    List<Receipt> receipts =
        fixture
            .inbox()
            .writeAll(
                List.of(
                    Outgoing.of("a", options -> options.messageId(new UUID(0, 1))),
                    new Outgoing("b", key.toBuilder().messageId(new UUID(0, 2)).build()),
                    new Outgoing("c", key.toBuilder().messageId(new UUID(0, 3)).build()),
                    Outgoing.of("d", options -> options.messageId(new UUID(0, 4)))));

    assertThat(receipts)
        .extracting(receipt -> receipt.messageId().getLeastSignificantBits())
        .containsExactly(1L, 2L, 2L, 4L);
    assertThat(receipts)
        .extracting(Receipt::isDuplicate)
        .containsExactly(false, false, true, false);
  }

  @Test
  @DisplayName("Batch append: all or nothing")
  void batchIsAtomic() {
    fixture.writeOnly();
    WriteOptions strict = WriteOptions.builder().deduplicationKey("k").strict().build();
    List<Outgoing> conflicting =
        List.of(new Outgoing("a", WriteOptions.defaults()), new Outgoing("b", strict));
    fixture.write("x", strict);

    assertThatExceptionOfType(ConflictingDuplicateException.class)
        .isThrownBy(() -> fixture.inbox().writeAll(conflicting));
    List<String> withNull = new ArrayList<>(List.of("a", "b"));
    withNull.add(null);
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> fixture.inbox().writeAll(withNull));
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("Batch append: any size up to the stated limit works, none is nothing")
  void batchSizes() {
    fixture.writeOnly();
    List<String> most = IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();

    assertThat(fixture.inbox().writeAll(List.of())).isEmpty();
    assertThat(fixture.inbox().writeAll(most)).hasSize(10_000);
    assertThat(fixture.counts().ready()).isEqualTo(10_000);
  }

  @Test
  @DisplayName("Messages can be written before the engine starts, by processes that never start it")
  void writtenBeforeStart() {
    noting();
    fixture.write("before");
    Mailroom neverStarted = fixture.node(inbox -> {});
    neverStarted.inbox(EngineFixture.INBOX).write("elsewhere");

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("before", "elsewhere");
  }

  @Test
  @DisplayName("A message that is not leased can be cancelled or moved to another time")
  void cancelAndReschedule() {
    noting();
    UUID cancelled = fixture.write("cancelled");
    UUID moved = fixture.write("moved", options -> options.delay(SECOND));

    assertThat(fixture.inbox().cancel(cancelled)).isTrue();
    assertThat(fixture.inbox().cancel(cancelled)).isFalse();
    assertThat(fixture.inbox().reschedule(moved, fixture.time.now())).isTrue();
    fixture.worker().run();

    assertThat(handled).containsExactly("moved");
    assertThat(fixture.inbox().reschedule(moved, fixture.time.now())).isFalse();
    assertThat(Collections.frequency(handled, "moved")).isEqualTo(1);
  }
}
