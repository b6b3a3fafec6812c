package dev.mailroom.processes;

import static dev.mailroom.processes.TimeoutsFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timeouts that always fail, due together with many that do not. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoisonTimeoutsTest {
  private static final int POISON = 50;
  private static final int GOOD = 10_000;
  private static final Duration DAY = Duration.ofDays(1);

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "POSTGRESQL"})
  void the_good_ones_do_not_wait_for_the_poison(Stores kind) {
    ManualTime time = new ManualTime();
    try (Stores.Place place = kind.open();
        TimeoutsFixture fixture = new TimeoutsFixture(place.store(time), time)) {
      Set<String> good = new HashSet<>();
      write(fixture, POISON, i -> "bad" + i, fixture.poison);
      write(fixture, GOOD, i -> "good" + i, good);
      time.advance(DAY);

      List<String> fired = fixture.fire();

      assertThat(fired).as("without the clock moving").hasSize(POISON + GOOD).containsAll(good);
      assertThat(fixture.timeouts.stored().list(MessageFilter.all(), GOOD).timeouts())
          .as("timeouts that wait for their next attempt")
          .hasSize(POISON)
          .allSatisfy(
              each -> assertThat(each.timeout().message().progress().attempts()).isEqualTo(1));
    }
  }

  private interface Naming {
    String name(int number);
  }

  /** Many at once, as a process's steps write them. */
  private static void write(TimeoutsFixture fixture, int count, Naming naming, Set<String> names) {
    List<Outgoing> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(naming.name(i));
      messages.add(fixture.timeouts.message(text(naming.name(i), DAY)).message());
    }
    fixture.mailroom.inbox(fixture.timeouts.name()).writeAll(messages);
  }
}
