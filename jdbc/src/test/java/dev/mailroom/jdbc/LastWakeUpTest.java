package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.WakeUps;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Wake-ups are held back for moments, and a store that is closed has no moments left. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LastWakeUpTest {
  private static final Channel ONE = channel("one");
  private static final Channel OTHER = channel("other");

  private static Channel channel(String name) {
    return new Channel(name, Ordering.NONE, ChannelPolicy.defaults());
  }

  @Test
  void closing_a_store_sends_what_was_held_back() throws InterruptedException {
    Semaphore heardOfOne = new Semaphore(0);
    Semaphore heardOfOther = new Semaphore(0);
    try (Pools pools =
            new Pools(
                PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase());
        JdbcStore listening = JdbcStore.builder(pools.one()).build()) {
      WakeUps.Subscription subscription =
          ((WakeUps) listening)
              .subscribe(name -> (name.equals(ONE.name()) ? heardOfOne : heardOfOther).release());
      try (JdbcStore writing = JdbcStore.builder(pools.other()).build()) {
        while (!heardOfOne.tryAcquire(100, TimeUnit.MILLISECONDS)) { // until it listens
          writing.append(ONE, List.of(message("first").build()), null);
        }
        heardOfOther.drainPermits();
        writing.append(ONE, List.of(message("again").build()), null);
        writing.append(OTHER, List.of(message("last").build()), null);
      }

      assertThat(heardOfOther.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      subscription.close();
    }
  }
}
