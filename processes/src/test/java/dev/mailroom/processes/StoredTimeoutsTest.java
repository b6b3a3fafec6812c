package dev.mailroom.processes;

import static dev.mailroom.processes.TimeoutsFixture.DESTINATION;
import static dev.mailroom.processes.TimeoutsFixture.SECOND;
import static dev.mailroom.processes.TimeoutsFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Due;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Timeouts that are leased without the engine, on every store. */
@ParameterizedClass
@EnumSource(Stores.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoredTimeoutsTest {
  private static final Duration LEASE = TimeoutsBuilder.DEFAULT_LEASE;
  private static final Duration HOUR = Duration.ofHours(1);

  private static Stores.Place place;

  @Parameter Stores kind;
  private final ManualTime time = new ManualTime();
  private TimeoutsFixture fixture;
  private StoredTimeouts stored;

  @BeforeParameterizedClassInvocation
  static void open(Stores kind) {
    place = kind.open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    place.close();
  }

  @BeforeEach
  void openFixture() {
    fixture = new TimeoutsFixture(place.store(time), time);
    stored = fixture.timeouts.stored();
  }

  @AfterEach
  void closeFixture() {
    fixture.close();
  }

  private static List<String> texts(DueTimeouts due) {
    return due.timeouts().stream().map(each -> each.payload(String.class)).toList();
  }

  private LeasedTimeout claimOne() {
    List<LeasedTimeout> due = stored.claim(10).timeouts();
    assertThat(due).hasSize(1);
    return due.get(0);
  }

  @Test
  void everything_comes_back_as_it_was_typed() {
    UUID id = UUID.randomUUID();
    Instant moment = Instant.parse("2030-05-06T07:08:09.123456Z");
    stored.insert(
        Timeout.of(
            DESTINATION,
            options ->
                options
                    .at(time.now().plus(HOUR))
                    .id(id)
                    .key("k")
                    .payload("hello")
                    .correlationId("order-4711")
                    .causationId("cause")
                    .header("text", "long:7")
                    .header("long", Long.MIN_VALUE)
                    .header("double", 0.1)
                    .header("boolean", true)
                    .header("instant", moment)));

    StoredTimeout found = stored.find(id).orElseThrow().timeout();
    assertThat(found.id()).isEqualTo(id);
    assertThat(found.key()).isEqualTo("k");
    assertThat(found.destination()).isEqualTo(DESTINATION);
    assertThat(found.dueAt()).isEqualTo(time.now().plus(HOUR));
    assertThat(found.payload()).isEqualTo("hello");
    assertThat(found.correlationId()).isEqualTo("order-4711");
    assertThat(found.causationId()).isEqualTo("cause");
    assertThat(found.headers())
        .isEqualTo(
            Map.of(
                "text",
                "long:7",
                "long",
                Long.MIN_VALUE,
                "double",
                0.1,
                "boolean",
                true,
                "instant",
                moment));
  }

  @Test
  void a_timeout_needs_neither_key_nor_payload() {
    TimeoutReceipt receipt = stored.insert(Timeout.after(DESTINATION, Duration.ZERO));

    LeasedTimeout claimed = claimOne();
    assertThat(claimed.id()).isEqualTo(receipt.id());
    assertThat(claimed.key()).isNull();
    assertThat(claimed.payload()).isNull();
    assertThat(claimed.headers()).isEmpty();
    assertThatThrownBy(() -> claimed.payload(String.class)).hasMessageContaining("no payload");
  }

  @Test
  void a_claim_takes_what_is_due_and_says_when_the_next_one_is() {
    stored.insert(text("now", Duration.ZERO));
    stored.insert(text("soon", SECOND));
    stored.insert(text("late", HOUR));

    DueTimeouts first = stored.claim(10);
    assertThat(texts(first)).containsExactly("now");
    assertThat(first.nextDue()).isEqualTo(SECOND);
    time.advance(SECOND);
    assertThat(texts(stored.claim(10))).containsExactly("soon");
    time.advance(Duration.ofDays(1));
    assertThat(texts(stored.claim(10))).containsExactly("late");
    assertThat(stored.claim(10).nextDue()).isNull();
  }

  @Test
  void no_timeout_is_given_to_two_callers() {
    for (int i = 0; i < 10; i++) {
      stored.insert(text("t" + i, Duration.ZERO));
    }
    Store elsewhere = kind == Stores.MEMORY ? fixture.store : place.store(time);
    List<String> all = new ArrayList<>();
    try (TimeoutsFixture node =
        new TimeoutsFixture(
            elsewhere, time, more -> more.name(fixture.timeouts.name()), more -> {})) {
      StoredTimeouts other = node.timeouts.stored();
      for (int i = 0; i < 10; i++) {
        all.addAll(texts((i % 2 == 0 ? stored : other).claim(3)));
      }
    }

    assertThat(all).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void a_claim_takes_no_more_than_asked_for_and_that_must_be_positive() {
    stored.insert(text("a", Duration.ZERO));
    stored.insert(text("b", Duration.ZERO));

    assertThat(stored.claim(1).timeouts()).hasSize(1);
    for (int most : new int[] {0, -1}) {
      assertThatThrownBy(() -> stored.claim(most))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit is " + most);
    }
    assertThat(stored.claim(1).timeouts()).hasSize(1);
  }

  @Test
  void a_timeout_that_was_dispatched_is_removed_with_its_token_and_no_other() {
    stored.insert(text("a", Duration.ZERO));
    LeasedTimeout claimed = claimOne();

    assertThatThrownBy(() -> stored.remove(claimed.id(), UUID.randomUUID()))
        .isInstanceOf(LeaseLostException.class);
    stored.remove(claimed.id(), claimed.token());

    assertThat(stored.find(claimed.id())).isEmpty();
    assertThatThrownBy(() -> stored.remove(claimed.id(), claimed.token()))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void a_timeout_is_released_with_its_token_and_no_other() {
    stored.insert(text("a", Duration.ZERO));
    LeasedTimeout claimed = claimOne();

    assertThatThrownBy(() -> stored.release(claimed.id(), UUID.randomUUID()))
        .isInstanceOf(LeaseLostException.class);
    assertThat(stored.claim(1).timeouts()).isEmpty();
    stored.release(claimed.id(), claimed.token());

    LeasedTimeout again = claimOne();
    assertThat(again.message().progress().attempts()).isEqualTo(1);
    assertThatThrownBy(() -> stored.remove(claimed.id(), claimed.token()))
        .as("the old token")
        .isInstanceOf(LeaseLostException.class);
    stored.remove(again.id(), again.token());
  }

  @Test
  void by_force_a_leased_timeout_is_removed() {
    stored.insert(text("a", Duration.ZERO));
    LeasedTimeout claimed = claimOne();

    assertThat(stored.forceRemove(claimed.id())).isTrue();
    assertThat(stored.forceRemove(claimed.id())).as("missing is nothing").isFalse();
    assertThat(stored.forceRelease(claimed.id())).isFalse();
    assertThatThrownBy(() -> stored.remove(claimed.id(), claimed.token()))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void by_force_a_leased_timeout_is_released() {
    stored.insert(text("a", Duration.ZERO));
    LeasedTimeout claimed = claimOne();

    assertThat(stored.forceRelease(claimed.id())).isTrue();

    LeasedTimeout again = claimOne();
    assertThatThrownBy(() -> stored.release(claimed.id(), claimed.token()))
        .isInstanceOf(LeaseLostException.class);
    stored.remove(again.id(), again.token());
  }

  @Test
  void by_force_a_timeout_that_is_not_leased_is_not_released_early() {
    UUID id = stored.insert(text("a", HOUR)).id();

    assertThat(stored.forceRelease(id)).isFalse();

    assertThat(stored.claim(1).nextDue()).isEqualTo(HOUR);
  }

  @Test
  void leases_of_callers_that_have_gone_silent_are_reaped() {
    stored.insert(text("a", Duration.ZERO));
    LeasedTimeout lost = claimOne();
    time.advance(LEASE.minusMillis(1));
    assertThat(stored.reclaim()).isZero();
    time.advance(Duration.ofMillis(1));

    assertThat(stored.reclaim()).isEqualTo(1);
    assertThat(stored.reclaim()).isZero();

    assertThatThrownBy(() -> stored.remove(lost.id(), lost.token()))
        .isInstanceOf(LeaseLostException.class);
    time.advance(SECOND);
    LeasedTimeout again = claimOne();
    assertThat(again.message().progress().crashes()).isEqualTo(1);
    stored.remove(again.id(), again.token());
  }

  @Test
  void a_timeout_is_cancelled_by_its_id_or_its_key_until_it_is_leased() {
    UUID byId = fixture.request("a", HOUR);
    fixture.request("b", HOUR);
    fixture.request("c", Duration.ZERO);
    LeasedTimeout leased = claimOne();

    assertThat(fixture.timeouts.cancel(byId)).isTrue();
    assertThat(fixture.timeouts.cancel("b")).isTrue();
    assertThat(fixture.timeouts.cancel("b")).isFalse();
    assertThat(fixture.timeouts.cancel("c")).as("it is leased").isFalse();
    assertThat(fixture.timeouts.cancel(leased.id())).isFalse();

    stored.remove(leased.id(), leased.token());
    assertThat(fixture.fireAfter(HOUR)).isEmpty();
  }

  @Test
  void a_timeout_is_moved_by_its_id_or_its_key_until_it_is_leased() {
    UUID byId = fixture.request("a", HOUR);
    fixture.request("b", SECOND);

    assertThat(fixture.timeouts.reschedule(byId, Due.after(SECOND))).isTrue();
    assertThat(fixture.timeouts.reschedule("b", Due.at(time.now().plus(HOUR)))).isTrue();
    assertThat(fixture.timeouts.reschedule("never", Due.NOW)).isFalse();

    assertThat(fixture.fireAfter(SECOND)).containsExactly("a");
    assertThat(fixture.fireAfter(HOUR)).containsExactly("b");
  }

  @Test
  void a_key_names_the_one_timeout_that_waits_under_it() {
    fixture.timeouts.request(text("first", SECOND, options -> options.key("k")));
    fixture.timeouts.request(text("second", Duration.ofSeconds(2), options -> options.key("k")));

    assertThat(fixture.fireAfter(SECOND)).as("it was replaced").isEmpty();
    assertThat(stored.find("k").orElseThrow().timeout().payload()).isEqualTo("second");
    assertThat(fixture.fireAfter(SECOND)).containsExactly("second");

    fixture.timeouts.request(text("third", SECOND, options -> options.key("k")));
    assertThat(fixture.fireAfter(SECOND)).as("the key was free again").containsExactly("third");
  }

  @Test
  void a_timeout_that_is_being_dispatched_is_not_replaced() {
    fixture.timeouts.request(text("first", Duration.ZERO, options -> options.key("k")));
    LeasedTimeout first = claimOne();
    fixture.timeouts.request(text("second", SECOND, options -> options.key("k")));

    stored.remove(first.id(), first.token());

    assertThat(fixture.fireAfter(SECOND)).containsExactly("second");
  }

  @Test
  void the_same_id_twice_is_a_duplicate() {
    UUID id = UUID.randomUUID();
    Timeout timeout = text("a", SECOND, options -> options.id(id));

    assertThat(fixture.timeouts.request(timeout).isDuplicate()).isFalse();
    assertThat(fixture.timeouts.request(timeout).isDuplicate()).isTrue();

    assertThat(fixture.fireAfter(SECOND)).containsExactly("a");
  }

  @Test
  void they_are_counted_and_listed_in_pages() {
    fixture.request("now", Duration.ZERO);
    fixture.request("soon", HOUR);
    fixture.request("late", HOUR);
    claimOne();

    assertThat(stored.counts().scheduled()).isEqualTo(2);
    assertThat(stored.counts().leased()).isEqualTo(1);
    assertThat(fixture.timeouts.inspect().counts()).isEqualTo(stored.counts());
    List<String> found = new ArrayList<>();
    Optional<TimeoutPage> page = Optional.of(stored.list(MessageFilter.all(), 2));
    while (page.isPresent()) {
      page.get().timeouts().forEach(each -> found.add(stateAndKey(each)));
      page = page.get().next().map(cursor -> stored.list(MessageFilter.all(), cursor, 2));
    }
    assertThat(found).containsExactlyInAnyOrder("LEASED now", "SCHEDULED soon", "SCHEDULED late");
    assertThat(stored.stream(MessageFilter.all()).map(StoredTimeoutsTest::stateAndKey))
        .containsExactlyElementsOf(found);
    assertThat(stored.find("soon").orElseThrow().state()).isEqualTo(MessageState.SCHEDULED);
    assertThat(stored.find("never")).isEmpty();
  }

  @Test
  void one_that_fails_is_retried_then_dead_and_delays_no_other() {
    fixture.poison.add("bad");
    fixture.request("bad", SECOND);
    fixture.request("good", SECOND);

    assertThat(fixture.fireAfter(SECOND)).containsExactlyInAnyOrder("bad", "good");
    fixture.request("newer", Duration.ZERO);
    assertThat(fixture.fire()).containsExactly("newer");
    assertThat(fixture.fireAfter(SECOND)).containsExactly("bad");
    assertThat(fixture.fireAfter(SECOND)).containsExactly("bad");
    assertThat(fixture.fireAfter(HOUR)).as("three attempts").isEmpty();

    assertThat(stored.counts().dead()).isEqualTo(1);
  }

  private static String stateAndKey(FoundTimeout found) {
    return found.state() + " " + found.timeout().key();
  }
}
