package dev.mailroom.storetestkit.simulation;

import dev.mailroom.InboxOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The inbox options that are always drawn from the seed. Times are short, so that leases, delays
 * and windows run out while messages are still being written.
 */
record SeededInboxOptions(
    int readBatch,
    int concurrency,
    Duration lease,
    boolean extended,
    int attempts,
    int deferrals,
    int crashLimit,
    boolean deadLetters,
    @Nullable Duration window,
    boolean relayed) {

  private static final long SALT = 0x5DEECE66DL;
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(8));
  private static final Backoff CRASH =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(4)).withJitter(0);

  static SeededInboxOptions of(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ SALT);
    return new SeededInboxOptions(
        1 + random.nextInt(12),
        1 + random.nextInt(4),
        Duration.ofSeconds(4 + random.nextInt(16)),
        random.nextInt(5) > 0,
        1 + random.nextInt(5),
        random.nextInt(5),
        1 + random.nextInt(5),
        random.nextInt(5) > 0,
        window(random.nextInt(4)),
        random.nextInt(3) == 0);
  }

  private static @Nullable Duration window(int choice) {
    return switch (choice) {
      case 0 -> Duration.ofSeconds(15);
      case 1 -> Duration.ofMinutes(1);
      case 2 -> Duration.ofDays(7);
      default -> null;
    };
  }

  InboxOptions inbox(SimulationOptions options, String worker) {
    return InboxOptions.builder()
        .ordering(options.ordering())
        .afterDeadLetter(options.afterDeadLetter())
        .readBatch(readBatch)
        .concurrency(concurrency)
        .lease(lease)
        .leaseExtension(extended)
        .worker(worker)
        .retry(new RetryPolicy(attempts, RETRY, deferrals, List.of(PermanentFailure.class)))
        .crashes(crashLimit, CRASH)
        .deadLetters(deadLetters)
        .deduplicationWindow(window)
        .build();
  }

  Duration crashDelay(int crashes) {
    return CRASH.delay(crashes);
  }
}
