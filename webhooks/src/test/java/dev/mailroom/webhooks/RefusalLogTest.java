package dev.mailroom.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.test.ManualTime;
import dev.mailroom.webhooks.RefusalLog.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** One line per source, reason and minute. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusalLogTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final List<String> lines = new ArrayList<>();
  private final List<Runnable> alarms = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final RefusalLog log =
      new RefusalLog(
          () -> time,
          (delay, action) -> {
            delays.add(delay);
            alarms.add(action);
          },
          lines::add);

  private void refuse(String source, String reason, String peer) {
    log.add(new Refused(source, reason, peer, null, "a detail"));
  }

  @Test
  void the_first_is_logged_at_once() {
    refuse("github", "bad-signature", "203.0.113.7");

    assertThat(lines)
        .containsExactly(
            "Refused a request for source 'github': bad-signature; the last came from 203.0.113.7");
    assertThat(alarms).isEmpty();
  }

  @Test
  void requests_of_the_following_minute_are_logged_as_one_count_when_it_ends() {
    for (int i = 0; i < 500; i++) {
      refuse("github", "bad-signature", "203.0.113." + i % 250);
      time.advance(Duration.ofMillis(10));
    }
    assertThat(lines).hasSize(1);
    assertThat(delays).containsExactly(MINUTE.minusMillis(10));

    time.advance(MINUTE);
    alarms.get(0).run();

    assertThat(lines)
        .hasSize(2)
        .last()
        .isEqualTo(
            "Refused 499 requests within a minute for source 'github': bad-signature; the last"
                + " came from 203.0.113.249");
  }

  @Test
  void each_source_and_reason_is_logged_separately() {
    for (int i = 0; i < 3; i++) {
      refuse("github", "bad-signature", "203.0.113.7");
      refuse("github", "missing-signature", "203.0.113.7");
      refuse("stripe", "bad-signature", "203.0.113.7");
    }

    assertThat(lines).hasSize(3);
    assertThat(alarms).hasSize(3);
  }

  @Test
  void requests_for_unknown_paths_share_one_line() {
    for (int i = 0; i < 1_000; i++) {
      refuse(null, "unknown-source", null);
    }

    assertThat(lines)
        .containsExactly(
            "Refused a request for a path that no source has: unknown-source; the last came from"
                + " an unknown address");
    assertThat(alarms).hasSize(1);
  }

  @Test
  void a_request_after_the_minute_is_logged_at_once() {
    refuse("github", "bad-signature", "203.0.113.7");
    time.advance(MINUTE);
    refuse("github", "bad-signature", "203.0.113.8");

    assertThat(lines).hasSize(2);
    assertThat(alarms).isEmpty();
  }

  @Test
  void a_clock_difference_is_logged() {
    log.add(new Refused("stripe", "too-old", "203.0.113.7", Duration.ofMinutes(-12), "old"));
    log.add(new Refused("stripe", "in-the-future", "203.0.113.7", Duration.ofHours(1), "new"));

    assertThat(lines.get(0)).endsWith("and its time is 720 seconds behind ours");
    assertThat(lines.get(1)).endsWith("and its time is 3600 seconds ahead of ours");
  }
}
