package dev.mailroom.options;

import dev.mailroom.messages.Limits;
import java.time.Duration;

/**
 * The defaults of every option, in one place: builders, bindings and the documentation use them.
 */
public final class Defaults {
  /** The most messages one claim leases: {@value}. */
  public static final int READ_BATCH = 100;

  /** The most messages one coalesced append gathers: {@value}. */
  public static final int WRITE_BATCH = 100;

  /** Handlers at once: {@value}. */
  public static final int CONCURRENCY = 10;

  /** Coalesced appends at once: {@value}. */
  public static final int WRITE_CONCURRENCY = 1;

  /** How long a lease lasts unless it is extended: one minute. */
  public static final Duration LEASE = Duration.ofMinutes(1);

  /** The part of the lease after which it is extended: {@value}. */
  public static final double EXTENSION_THRESHOLD = 0.5;

  /** How often an idle channel is polled, at first: one second. */
  public static final Duration POLL = Duration.ofSeconds(1);

  /** How often an idle channel is polled, in the long run: five seconds. */
  public static final Duration MAXIMUM_POLL = Duration.ofSeconds(5);

  /** The pause between two claims: none. */
  public static final Duration DELAY_BETWEEN_READS = Duration.ZERO;

  /** How long running handlers may go on after stop: 30 seconds. */
  public static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(30);

  /** How often a handler is called for a message: {@value}. */
  public static final int ATTEMPTS = 5;

  /** How long a failed message waits: five seconds, doubling up to five minutes, ±20 %. */
  public static final Backoff RETRY_BACKOFF =
      Backoff.exponential(Duration.ofSeconds(5), Duration.ofMinutes(5));

  /** How often a handler may ask for a retry later: {@value}. */
  public static final int DEFERRALS = 100;

  /** How often a message may crash its worker: {@value}. */
  public static final int CRASHES = 5;

  /** How long a message waits after a crash: one second, doubling up to one minute. */
  public static final Backoff CRASH_BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)).withJitter(0);

  /** How long a message with an unknown contract is kept for a newer version: 14 days. */
  public static final Duration PARK = Duration.ofDays(14);

  /** How long a deduplication key is remembered: seven days. */
  public static final Duration DEDUPLICATION_WINDOW = Duration.ofDays(7);

  /** The largest payload, in bytes: {@value}. */
  public static final int PAYLOAD_BYTES = Limits.DEFAULT_PAYLOAD_BYTES;

  /** How often each clean-up task runs: five minutes. */
  public static final Duration CLEAN_UP_INTERVAL = Duration.ofMinutes(5);

  /** The most rows one clean-up statement removes: {@value}. */
  public static final int CLEAN_UP_BATCH = 1_000;

  /** How long a clean-up task waits after a failure: 30 seconds. */
  public static final Duration CLEAN_UP_RESTART_DELAY = Duration.ofSeconds(30);

  /** How often a failed write is retried: {@value}. */
  public static final int STORAGE_RETRIES = 3;

  /** How long a failed write waits before it is retried: 100 ms, doubling up to five seconds. */
  public static final Backoff STORAGE_BACKOFF =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

  private Defaults() {}
}
