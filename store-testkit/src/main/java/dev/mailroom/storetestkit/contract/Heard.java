package dev.mailroom.storetestkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Store;
import dev.mailroom.spi.WakeUps;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber that notes which channels it was woken for. */
final class Heard implements AutoCloseable {
  /** A wake-up may come through a network; no test waits longer than this for one. */
  private static final long PATIENCE_SECONDS = 30;

  private final LinkedBlockingQueue<String> arrivals = new LinkedBlockingQueue<>();
  private final Set<String> all = ConcurrentHashMap.newKeySet();
  private final WakeUps.Subscription subscription;

  Heard(Store store) {
    subscription =
        ((WakeUps) store)
            .subscribe(
                name -> {
                  all.add(name);
                  arrivals.add(name);
                });
  }

  /** Waits until it was woken for this line. */
  void await(Line line) throws InterruptedException {
    String expected = line.channel().name();
    String arrived;
    do {
      arrived = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(arrived).as("a wake-up for " + expected).isNotNull();
    } while (!expected.equals(arrived));
  }

  /** Whether it was ever woken for this line. */
  boolean heard(Line line) {
    return all.contains(line.channel().name());
  }

  @Override
  public void close() {
    subscription.close();
  }
}
