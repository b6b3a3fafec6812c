package dev.mailroom.processes;

import static dev.mailroom.processes.TimeoutsFixture.DESTINATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is refused, with which words, and that nothing is stored then. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeoutBadInputTest {
  private final TimeoutsFixture fixture = new TimeoutsFixture();

  @AfterEach
  void nothing_was_stored() {
    assertThat(fixture.timeouts.stored().counts().scheduled()).isZero();
    assertThat(fixture.timeouts.stored().counts().ready()).isZero();
    fixture.close();
  }

  private static void refuses(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll(parts);
  }

  private static Timeout soon() {
    return Timeout.after(DESTINATION, Duration.ofSeconds(1));
  }

  private static Timeout soon(Consumer<Timeout.Builder> options) {
    Timeout.Builder builder = soon().toBuilder();
    options.accept(builder);
    return builder.build();
  }

  @Test
  void an_empty_id() {
    refuses(
        () -> soon(options -> options.id(new UUID(0, 0))),
        "id is 00000000-0000-0000-0000-000000000000");
    refuses(() -> soon(options -> options.id(null)), "id is null");
  }

  @Test
  void an_unknown_destination() {
    refuses(
        () -> fixture.timeouts.request(Timeout.after("nowhere", Duration.ZERO)),
        "'nowhere'",
        "[billing, far away]",
        "Nothing was stored");
    refuses(() -> fixture.timeouts.message(Timeout.after("nowhere", Duration.ZERO)), "'nowhere'");
    refuses(() -> Timeout.after(" ", Duration.ZERO), "destination is blank");
  }

  @Test
  void a_time_out_of_range() {
    Instant latest = Instant.parse("9999-12-31T23:59:59.999999Z");
    refuses(() -> Timeout.at(DESTINATION, Instant.EPOCH.minusNanos(1)), "1969-12-31", "1970-01-01");
    refuses(() -> Timeout.at(DESTINATION, latest.plusNanos(1)), "9999-12-31T23:59:59.999999001Z");
    refuses(() -> Timeout.at(DESTINATION, Instant.MAX), "must be from");
    refuses(() -> Timeout.after(DESTINATION, Duration.ofNanos(-1)), "PT-0.000000001S");
    refuses(
        () -> fixture.timeouts.request(Timeout.after(DESTINATION, Duration.ofDays(8_000 * 365L))),
        "beyond 9999-12-31");
    refuses(
        () ->
            fixture.timeouts.request(
                Timeout.after(DESTINATION, Duration.ofSeconds(Long.MAX_VALUE))),
        "beyond 9999-12-31");

    UUID id = fixture.timeouts.request(soon()).id();
    refuses(() -> fixture.timeouts.reschedule(id, Due.at(Instant.MIN)), "must be from");
    assertThatThrownBy(() -> fixture.timeouts.reschedule(id, new Due.After(Duration.ofSeconds(-1))))
        .hasMessageContaining("negative");
    refuses(
        () -> Timeout.of(DESTINATION, options -> options.key("k")), "does not say when it is due");
    refuses(() -> fixture.timeouts.reschedule(id, Due.after(Duration.ofDays(4_000_000))), "beyond");
    assertThat(fixture.timeouts.reschedule(id, Due.at(Timeout.LATEST))).isTrue();
    assertThat(fixture.timeouts.reschedule(id, Due.at(Timeout.EARLIEST))).isTrue();
    assertThat(fixture.timeouts.cancel(id)).isTrue();
  }

  @Test
  void headers_over_the_limits() {
    String longest = "x".repeat(Limits.HEADER_LENGTH - "text:".length());
    refuses(() -> soon(options -> options.header("h", longest + "x")), "header 'h'", "4096");
    refuses(() -> soon(options -> options.header(" ", "x")), "header name is blank");
    refuses(() -> soon(options -> options.header("n".repeat(257), 1)), "header name", "256");
    refuses(
        () -> soon(options -> options.header("mailroom-destination", "x")),
        "reserved for Mailroom");
    Timeout.Builder full = soon().toBuilder().header("h", longest);
    for (int i = 1; i < Limits.HEADERS - 1; i++) {
      full.header("h" + i, i);
    }
    refuses(() -> full.header("one more", true), "64 headers", "at most 63");
    assertThat(fixture.timeouts.cancel(fixture.timeouts.request(full.build()).id())).isTrue();
  }

  @Test
  void keys_and_payloads_that_cannot_be_stored() {
    refuses(() -> soon(options -> options.key("k".repeat(257))), "key", "256");
    refuses(() -> soon(options -> options.correlationId("c".repeat(257))), "correlation id");
    assertThatThrownBy(
            () -> fixture.timeouts.request(soon(options -> options.payload(new Object()))))
        .isInstanceOf(UnknownContractException.class);
  }

  @Test
  void an_inbox_without_anything_to_write() {
    Timeouts timeouts = Timeouts.builder().inbox("in", "orders").acceptWeakDurability().build();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .add(timeouts)
            .inbox("orders", i -> {})
            .build()) {
      assertThat(mailroom.isRunning()).isFalse();

      refuses(() -> timeouts.request(Timeout.after("in", Duration.ZERO)), "'in'", "has no payload");
    }
  }

  @Test
  void options_that_make_no_sense() {
    TimeoutDestination any = timeout -> Result.success();
    assertThatThrownBy(() -> Timeouts.builder().build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("destinations");
    assertThatThrownBy(
            () ->
                Timeouts.builder()
                    .destination("a", any)
                    .inbox("a", "b")
                    .options(o -> o.ordering(Ordering.REQUIRED))
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("destination is a: was given before", "ordering is REQUIRED");
    for (Duration lease : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
      assertThatThrownBy(() -> Timeouts.builder().options(o -> o.lease(lease)))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("lease is " + lease);
    }
    assertThatThrownBy(() -> Timeouts.builder().options(o -> o.readBatch(0)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("readBatch is 0");
  }

  @Test
  void a_store_that_may_lose_what_it_has_acknowledged() {
    Timeouts timeouts = Timeouts.builder().remoteDestinations("x").build();

    assertThatThrownBy(() -> Mailroom.builder().store(MemoryStore.create()).add(timeouts).build())
        .isInstanceOf(WeakDurabilityException.class)
        .hasMessageContainingAll("loses everything with its process", "acceptWeakDurability()");
  }

  /** A store whose database answers, or not. */
  private static final class ChangingDurability extends ForwardingStore implements Durability {
    private @Nullable String weakness;
    private boolean down = true;

    ChangingDurability(Store delegate) {
      super(delegate);
    }

    @Override
    public @Nullable String weakness() {
      if (down) {
        throw new StoreException("down", null);
      }
      return weakness;
    }
  }

  @Test
  void a_store_that_could_not_be_asked_is_asked_before_the_first_write() {
    ChangingDurability store = new ChangingDurability(MemoryStore.create());
    Timeouts timeouts = Timeouts.builder().remoteDestinations("x").build();
    try (Mailroom mailroom = Mailroom.builder().store(store).add(timeouts).build()) {
      assertThat(mailroom.isRunning()).isFalse();
      Timeout timeout = Timeout.after("x", Duration.ZERO);
      assertThatThrownBy(() -> timeouts.request(timeout)).hasMessage("down");
      store.down = false;
      store.weakness = "It is weak.";
      assertThatThrownBy(() -> timeouts.request(timeout))
          .isInstanceOf(WeakDurabilityException.class)
          .hasMessageContaining("It is weak.");
      store.weakness = null;

      assertThat(timeouts.request(timeout).isDuplicate()).isFalse();
    }
  }

  @Test
  void timeouts_of_no_mailroom() {
    Timeouts unattached = Timeouts.builder().remoteDestinations("x").build();

    assertThatThrownBy(() -> unattached.request(Timeout.after("x", Duration.ZERO)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("belongs to no mailroom");
  }
}
