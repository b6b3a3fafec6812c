package dev.mailroom.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.targets.CircuitBreaker.Pass;
import dev.mailroom.server.targets.CircuitBreaker.Rejected;
import dev.mailroom.server.targets.CircuitBreaker.State;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(20);

  private final ManualTime time = new ManualTime();
  private final CircuitBreaker breaker = breaker(3);

  private CircuitBreaker breaker(int failures) {
    return new CircuitBreaker(
        "post", new CircuitBreaker.Options(failures, SECOND, SECOND.multipliedBy(4)), time);
  }

  private Pass pass() {
    return (Pass) breaker.enter();
  }

  private Rejected rejected() {
    return (Rejected) breaker.enter();
  }

  private void fail(Pass pass) {
    breaker.failed(pass, UUID.randomUUID(), "answered 503", Duration.ZERO);
  }

  private State state() {
    return breaker.status().state();
  }

  private void open() {
    for (int i = 0; i < 3; i++) {
      fail(pass());
    }
    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void it_opens_after_failures_in_a_row() {
    fail(pass());
    fail(pass());
    breaker.succeeded();
    fail(pass());
    fail(pass());
    assertThat(state()).isEqualTo(State.CLOSED);
    fail(pass());

    assertThat(state()).isEqualTo(State.OPEN);
    assertThat(breaker.status().probeIn()).isEqualTo(SECOND);
    assertThat(rejected().reason()).contains("'post'", "3 failures", "answered 503");
  }

  @Test
  void one_message_that_fails_again_and_again_does_not_open_it() {
    UUID poison = UUID.randomUUID();
    for (int i = 0; i < 10; i++) {
      breaker.failed(pass(), poison, "answered 500", Duration.ZERO);
    }
    assertThat(state()).isEqualTo(State.CLOSED);

    fail(pass());
    assertThat(state()).isEqualTo(State.OPEN);
  }

  @Test
  void after_the_pause_one_call_is_a_probe_and_its_success_closes_it() {
    open();
    time.advance(SECOND);

    Pass probe = pass();
    assertThat(state()).isEqualTo(State.HALF_OPEN);
    assertThat(rejected().delay()).isGreaterThanOrEqualTo(SECOND);
    breaker.succeeded();

    assertThat(probe).isNotNull();
    assertThat(state()).isEqualTo(State.CLOSED);
    assertThat(breaker.enter()).isInstanceOf(Pass.class);
  }

  @Test
  void the_pause_doubles_with_each_probe_that_fails_up_to_the_longest() {
    open();
    for (int seconds : new int[] {1, 2, 4, 4}) {
      Duration pause = SECOND.multipliedBy(seconds);
      assertThat(breaker.status().probeIn()).isEqualTo(pause);
      time.advance(pause.minusMillis(1));
      rejected();
      time.advance(Duration.ofMillis(1));
      fail(pass());
    }
  }

  @Test
  void a_call_from_before_that_fails_late_does_not_lengthen_the_pause() {
    Pass early = pass();
    open();
    time.advance(Duration.ofMillis(900));
    fail(early);
    assertThat(breaker.status().probeIn()).isEqualTo(Duration.ofMillis(100));

    time.advance(Duration.ofMillis(100));
    pass();
    fail(early);
    assertThat(state()).isEqualTo(State.HALF_OPEN);
  }

  @Test
  void a_probe_that_was_not_made_is_left_to_the_next_message() {
    open();
    time.advance(SECOND);
    breaker.withdrawn(pass());

    assertThat(state()).isEqualTo(State.OPEN);
    assertThat(breaker.enter()).isInstanceOf(Pass.class);
  }

  @Test
  void it_stays_open_for_as_long_as_the_target_asks_for() {
    fail(pass());
    fail(pass());
    breaker.failed(pass(), UUID.randomUUID(), "answered 429", Duration.ofMinutes(10));

    assertThat(breaker.status().probeIn()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void deferred_messages_are_spaced_out_up_to_five_minutes() {
    open();

    assertThat(rejected().delay()).isEqualTo(SECOND.plus(MOMENT));
    assertThat(rejected().delay()).isEqualTo(SECOND.plus(MOMENT).plus(MOMENT));
    for (int i = 0; i < 100_000; i++) {
      rejected();
    }
    assertThat(rejected().delay()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void an_operator_can_close_it() {
    open();
    breaker.reset();

    assertThat(breaker.enter()).isInstanceOf(Pass.class);
  }

  @Test
  void with_a_limit_of_zero_it_never_opens() {
    CircuitBreaker never = breaker(0);
    for (int i = 0; i < 100; i++) {
      Pass pass = (Pass) never.enter();
      never.failed(pass, UUID.randomUUID(), "no", Duration.ZERO);
    }

    assertThat(never.status().state()).isEqualTo(State.CLOSED);
  }
}
