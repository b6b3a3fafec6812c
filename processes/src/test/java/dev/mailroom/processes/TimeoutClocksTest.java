package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Store;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes whose clocks are ten minutes apart, on databases with a clock of their own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeoutClocksTest {
  private static final int EACH = 40;
  private static final Duration APART = Duration.ofMinutes(5);

  private final List<Firing> fired = new CopyOnWriteArrayList<>();
  private final CountDownLatch all = new CountDownLatch(2 * EACH);

  /** A timeout, and what the store's clock showed when it arrived. */
  private record Firing(FiredTimeout timeout, Instant storeNow) {}

  /** The host's clocks, set wrong. */
  private record WrongTime(Duration offset) implements TimeSource {
    @Override
    public Instant now() {
      return TimeSource.system().now().plus(offset);
    }

    @Override
    public long nanos() {
      return TimeSource.system().nanos();
    }
  }

  private final class Node implements AutoCloseable {
    final Timeouts timeouts =
        Timeouts.builder().destination("here", this::fire).acceptWeakDurability().build();
    final Mailroom mailroom;

    Node(Store store, Duration offset) {
      mailroom = Mailroom.builder().store(store).time(new WrongTime(offset)).add(timeouts).build();
    }

    private Result fire(FiredTimeout timeout) {
      Instant storeNow = timeouts.deadLetters().list(DeadLetterFilter.all(), 1).asOf();
      fired.add(new Firing(timeout, storeNow));
      all.countDown();
      return Result.success();
    }

    /**
     * Requests {@link #EACH} timeouts within the next second of the store's clock; some by its
     * time.
     */
    void request(Instant storeNow) {
      for (int i = 0; i < EACH; i++) {
        Duration delay = Duration.ofMillis(25L * i);
        timeouts.request(
            i % 2 == 0 ? Timeout.after("here", delay) : Timeout.at("here", storeNow.plus(delay)));
      }
    }

    @Override
    public void close() {
      mailroom.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void each_timeout_fires_once_and_at_the_stores_time(Stores kind) throws Exception {
    try (Stores.Place place = kind.open();
        Node early = new Node(place.store(null), APART.negated());
        Node late = new Node(place.store(null), APART)) {
      Instant storeNow =
          early.timeouts.request(Timeout.after("here", Duration.ofDays(1))).acceptedAt();
      early.mailroom.start();
      late.mailroom.start();
      early.request(storeNow);
      late.request(storeNow);

      all.await();
      early.mailroom.stop();
      late.mailroom.stop();

      assertThat(fired).as("each, and not the one of tomorrow").hasSize(2 * EACH);
      assertThat(fired).extracting(firing -> firing.timeout().id()).doesNotHaveDuplicates();
      assertThat(fired)
          .allSatisfy(
              firing -> assertThat(firing.storeNow()).isAfterOrEqualTo(firing.timeout().dueAt()));
    }
  }
}
