package dev.mailroom.storetestkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Store;
import dev.mailroom.spi.WakeUps;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber that records the channels of its wake-ups. */
final class WakeUpRecorder implements AutoCloseable {
  /** A wake-up may come through a network; no test waits longer than this for one. */
  private static final long PATIENCE_SECONDS = 30;

  private final LinkedBlockingQueue<String> arrivals = new LinkedBlockingQueue<>();
  private final Set<String> all = ConcurrentHashMap.newKeySet();
  private final WakeUps.Subscription subscription;

  WakeUpRecorder(Store store) {
    subscription =
        ((WakeUps) store)
            .subscribe(
                name -> {
                  all.add(name);
                  arrivals.add(name);
                });
  }

  /** Waits for a wake-up of this channel. */
  void await(TestChannel channel) throws InterruptedException {
    String expected = channel.definition().name();
    String arrived;
    do {
      arrived = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(arrived).as("a wake-up for " + expected).isNotNull();
    } while (!expected.equals(arrived));
  }

  /** Whether there was a wake-up of this channel. */
  boolean wasWokenFor(TestChannel channel) {
    return all.contains(channel.definition().name());
  }

  @Override
  public void close() {
    subscription.close();
  }
}
