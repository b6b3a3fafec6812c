package dev.mailroom.testkit.engine;

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

/** What a writer is told, and what becomes of what was written. */
class AppendingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private void noting() {
    desk.handler(
        delivery -> {
          handled.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  @DisplayName("The receipt says: message id, contract name and version, accepted-at, accepted")
  void receipt() {
    desk.writeOnly();
    desk.pass(SECOND);

    Receipt receipt = desk.inbox().write("a");

    assertThat(receipt.contract()).isEqualTo(new Contract(Desk.NOTE, 1));
    assertThat(receipt.acceptedAt()).isEqualTo(desk.time.now());
    assertThat(receipt.status()).isEqualTo(Receipt.Status.ACCEPTED);
    assertThat(receipt.isDuplicate()).isFalse();
    assertThat(receipt.messageId().version()).isEqualTo(7);
    assertThat(desk.state(receipt.messageId())).isEqualTo(MessageState.READY);
    assertThat(desk.telemetry.sum(Counter.RECEIVED)).isEqualTo(1);
  }

  @Test
  @DisplayName("The receipt of a duplicate: the id is the first message's")
  void duplicate() {
    desk.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    Receipt first = desk.inbox().write("a", key);
    desk.pass(SECOND);

    Receipt second = desk.inbox().write("other content", key);

    assertThat(second.status()).isEqualTo(Receipt.Status.DUPLICATE);
    assertThat(second.messageId()).isEqualTo(first.messageId());
    assertThat(second.acceptedAt()).isEqualTo(first.acceptedAt());
    assertThat(desk.alive()).isEqualTo(1);
    assertThat(desk.telemetry.sum(Counter.RECEIVED)).isEqualTo(1);
    assertThat(desk.telemetry.sum(Counter.DUPLICATE)).isEqualTo(1);
  }

  @Test
  @DisplayName("Strict mode: a duplicate whose content differs is an error instead")
  void strict() {
    desk.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").strict().build();
    UUID first = desk.write("a", key);

    assertThat(desk.inbox().write("a", key).isDuplicate()).isTrue();
    assertThatExceptionOfType(ConflictingDuplicateException.class)
        .isThrownBy(() -> desk.write("b", key))
        .withMessageContaining(first.toString())
        .satisfies(error -> assertThat(error.original()).isEqualTo(first));
    assertThat(desk.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("Deduplication: within its window, also after the first message is done")
  void deduplicationWindow() {
    desk.options(options -> options.deduplicationWindow(SECOND)).handler(d -> Result.success());
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    desk.write("a", key);
    desk.worker().run();

    desk.pass(SECOND.minusMillis(1));
    assertThat(desk.inbox().write("a", key).isDuplicate()).isTrue();
    desk.pass(SECOND);
    assertThat(desk.inbox().write("a", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("Deduplication: for ever, where the window is null")
  void deduplicationForEver() {
    desk.options(options -> options.deduplicationWindow(null)).handler(d -> Result.success());
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    desk.write("a", key);
    desk.worker().run();
    desk.pass(Duration.ofDays(10_000));
    desk.mailroom().cleanUp();

    assertThat(desk.inbox().write("a", key).isDuplicate()).isTrue();
  }

  @Test
  @DisplayName("Keys compare by exact bytes; scope: tenant and key")
  void exactKeys() {
    desk.writeOnly();
    for (String key : List.of("k", "K", "k ", " k", "ｋ")) {
      assertThat(desk.inbox().write("a", options -> options.deduplicationKey(key)).isDuplicate())
          .as("'%s'", key)
          .isFalse();
    }
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    assertThat(desk.inbox().write("a", key.tenant("t")).isDuplicate()).isFalse();
    assertThat(desk.inbox().write("a", key.tenant("t")).isDuplicate()).isTrue();
  }

  @Test
  @DisplayName("Scope of keys: the channel")
  void keysOfTwoInboxes() {
    desk.settings(builder -> builder.inbox("letters", inbox -> {})).writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();
    desk.write("a", key);

    assertThat(desk.mailroom().inbox("letters").write("a", key).isDuplicate()).isFalse();
  }

  @Test
  @DisplayName("Blank keys mean none")
  void blankKeys() {
    desk.options(options -> options.ordering(Ordering.WHEN_KEYED)).writeOnly();
    WriteOptions blank =
        WriteOptions.builder()
            .deduplicationKey(" ")
            .collapseKey("")
            .groupKey("\t")
            .tenant("  ")
            .build();

    UUID first = desk.write("a", blank);
    desk.write("b", blank);

    assertThat(desk.alive()).isEqualTo(2);
    assertThat(desk.store().find(Desk.CHANNEL, Target.id(first)).message().routing())
        .hasAllNullFieldsOrProperties();
  }

  @Test
  @DisplayName("Collapse key: a new message removes older ones that nobody has leased")
  void collapse() {
    noting();
    WriteOptions key = WriteOptions.builder().collapseKey("k").build();
    desk.write("old", key);
    desk.write("other", options -> options.collapseKey("l"));
    desk.write("new", key);

    desk.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("other", "new");
  }

  @Test
  @DisplayName("Collapse and deduplication of the same message never delete both")
  void collapseOfADuplicate() {
    noting();
    WriteOptions both = WriteOptions.builder().collapseKey("k").deduplicationKey("k").build();
    desk.write("first", both);

    assertThat(desk.inbox().write("second", both).isDuplicate()).isTrue();
    desk.worker().run();

    assertThat(handled).containsExactly("first");
  }

  @Test
  @DisplayName("A caller's own message id: writing the same id twice is a duplicate, not an error")
  void ownMessageId() {
    desk.writeOnly();
    WriteOptions own = WriteOptions.builder().messageId(new UUID(4, 2)).build();

    assertThat(desk.inbox().write("a", own).messageId()).isEqualTo(new UUID(4, 2));
    assertThat(desk.inbox().write("b", own).isDuplicate()).isTrue();
    assertThat(desk.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("A caller's own received-at is kept for display and age, never for order")
  void ownReceivedAt() {
    desk.options(options -> options.ordering(Ordering.REQUIRED));
    noting();
    WriteOptions group = WriteOptions.builder().groupKey("a").build();
    desk.write("first", group);
    UUID id = desk.write("second", group.receivedAt(desk.time.now().minusSeconds(60)));

    assertThat(desk.store().find(Desk.CHANNEL, Target.id(id)).message().timing().receivedAt())
        .isEqualTo(desk.time.now().minusSeconds(60));
    desk.worker().run();
    assertThat(handled).containsExactly("first", "second");
  }

  @Test
  @DisplayName("Visible-after and delay: not handled before; a time in the past means now")
  void visibleLater() {
    noting();
    desk.write("delayed", options -> options.delay(SECOND));
    desk.write("visible after", options -> options.visibleAfter(desk.time.now().plus(SECOND)));
    desk.write("past", options -> options.visibleAfter(desk.time.now().minusSeconds(1)));
    desk.write("negative", options -> options.delay(SECOND.negated()));

    desk.worker().run();
    assertThat(handled).containsExactlyInAnyOrder("past", "negative");
    assertThat(desk.counts().scheduled()).isEqualTo(2);
    desk.pass(SECOND.minusMillis(1));
    assertThat(desk.worker().run()).isZero();
    desk.pass(Duration.ofMillis(1));
    assertThat(desk.worker().run()).isEqualTo(2);
  }

  @Test
  @DisplayName("A message can carry a lifetime: past it, dead-lettered as expired, not handled")
  void lifetime() {
    noting();
    UUID id = desk.write("stale", options -> options.lifetime(SECOND));
    desk.pass(SECOND.plusMillis(1));

    desk.worker().run();

    assertThat(handled).isEmpty();
    assertThat(desk.deadLetter().id()).isEqualTo(id);
    assertThat(desk.deadLetter().error().type()).isEqualTo("expired");
  }

  @Test
  @DisplayName("Batch append: results in input order, duplicates within it included")
  void batchReceipts() {
    desk.writeOnly();
    WriteOptions key = WriteOptions.builder().deduplicationKey("k").build();

    List<Receipt> receipts =
        desk.inbox()
            .writeAll(
                List.of(
                    Outgoing.of("a", options -> options.messageId(new UUID(0, 1))),
                    new Outgoing("b", key.messageId(new UUID(0, 2))),
                    new Outgoing("c", key.messageId(new UUID(0, 3))),
                    Outgoing.of("d", options -> options.messageId(new UUID(0, 4)))),
                null);

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
    desk.writeOnly();
    WriteOptions strict = WriteOptions.builder().deduplicationKey("k").strict().build();
    List<Outgoing> conflicting =
        List.of(new Outgoing("a", WriteOptions.defaults()), new Outgoing("b", strict));
    desk.write("x", strict);

    assertThatExceptionOfType(ConflictingDuplicateException.class)
        .isThrownBy(() -> desk.inbox().writeAll(conflicting, null));
    List<String> withNull = new ArrayList<>(List.of("a", "b"));
    withNull.add(null);
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> desk.inbox().writeAll(withNull));
    assertThat(desk.alive()).isEqualTo(1);
  }

  @Test
  @DisplayName("Batch append: any size up to the stated limit works, none is nothing")
  void batchSizes() {
    desk.writeOnly();
    List<String> most = IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();

    assertThat(desk.inbox().writeAll(List.of())).isEmpty();
    assertThat(desk.inbox().writeAll(most)).hasSize(10_000);
    assertThat(desk.counts().ready()).isEqualTo(10_000);
  }

  @Test
  @DisplayName("Messages can be written before the engine starts, by processes that never start it")
  void writtenBeforeStart() {
    noting();
    desk.write("before");
    Mailroom neverStarted = desk.node(inbox -> {});
    neverStarted.inbox(Desk.INBOX).write("elsewhere");

    desk.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("before", "elsewhere");
  }

  @Test
  @DisplayName("What nobody has leased can be cancelled or moved to another time")
  void cancelAndReschedule() {
    noting();
    UUID cancelled = desk.write("cancelled");
    UUID moved = desk.write("moved", options -> options.delay(SECOND));

    assertThat(desk.inbox().cancel(cancelled)).isTrue();
    assertThat(desk.inbox().cancel(cancelled)).isFalse();
    assertThat(desk.inbox().reschedule(moved, desk.time.now())).isTrue();
    desk.worker().run();

    assertThat(handled).containsExactly("moved");
    assertThat(desk.inbox().reschedule(moved, desk.time.now())).isFalse();
    assertThat(Collections.frequency(handled, "moved")).isEqualTo(1);
  }
}
