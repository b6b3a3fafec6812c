package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How long a worker waits between two claims, unless a wake-up comes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PollIntervalTest {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration LONG_POLL = Duration.ofSeconds(5);

  private final EngineFixture fixture = EngineFixture.manual();
  private ManualEngine worker;

  @BeforeEach
  void open() {
    worker =
        fixture
            .options(options -> options.poll(POLL, LONG_POLL))
            .handler(delivery -> Result.success())
            .worker();
  }

  @AfterEach
  void stop() {
    worker.stop();
  }

  @Test
  void where_something_was_found_it_looks_again_soon() {
    fixture.write("a");

    assertThat(worker.fetch()).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void where_nothing_was_found_it_rests_ever_longer() {
    assertThat(worker.fetch()).isEqualTo(POLL);
    assertThat(worker.fetch()).isEqualTo(POLL.multipliedBy(2));
    assertThat(worker.fetch()).isEqualTo(POLL.multipliedBy(4));
    assertThat(worker.fetch()).isEqualTo(LONG_POLL);
  }

  @Test
  void a_look_that_found_something_ends_the_long_rests() {
    worker.fetch();
    worker.fetch();
    fixture.write("a");
    worker.fetch();

    assertThat(worker.fetch()).isEqualTo(POLL);
  }

  @Test
  void it_rests_until_a_message_is_due_and_a_hair_longer() {
    Duration delay = Duration.ofMillis(300);
    fixture.write("a", options -> options.delay(delay));

    Duration rest = worker.fetch();

    assertThat(rest).isGreaterThan(delay).isLessThanOrEqualTo(delay.plusMillis(1));
  }
}
