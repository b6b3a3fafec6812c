package dev.mailroom;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.CleanUp;
import dev.mailroom.options.Defaults;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Purge;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link InboxOptions}; every option has a default, and {@link #build} reports all
 * violations at once. Not thread-safe.
 */
public final class InboxOptionsBuilder {
  private Ordering ordering = Ordering.NONE;
  private int readBatch = Defaults.READ_BATCH;
  private Duration poll = Defaults.POLL;
  private Duration maximumPoll = Defaults.MAXIMUM_POLL;
  private Duration delayBetweenReads = Defaults.DELAY_BETWEEN_READS;
  private @Nullable String tenant;
  private boolean coalescing;
  private int writeBatch = Defaults.WRITE_BATCH;
  private int writeConcurrency = Defaults.WRITE_CONCURRENCY;
  private Duration lease = Defaults.LEASE;
  private boolean leaseExtension = true;
  private double extensionThreshold = Defaults.EXTENSION_THRESHOLD;
  private @Nullable Duration reclaim;
  private @Nullable String worker;
  private int concurrency = Defaults.CONCURRENCY;
  private RetryPolicy retry = RetryPolicy.defaults();
  private @Nullable Duration handlerTimeout;
  private Duration shutdownGrace = Defaults.SHUTDOWN_GRACE;
  private Duration park = Defaults.PARK;
  private AfterDeadLetter afterDeadLetter = AfterDeadLetter.CONTINUE;
  private int crashLimit = Defaults.CRASHES;
  private Backoff crashBackoff = Defaults.CRASH_BACKOFF;
  private @Nullable Duration deduplicationWindow = Defaults.DEDUPLICATION_WINDOW;
  private boolean deadLetters = true;
  private @Nullable Duration deadLetterLifetime;
  private @Nullable Duration history;
  private final Map<Purge, CleanUp> cleanUp = new EnumMap<>(Purge.class);

  InboxOptionsBuilder() {
    for (Purge task : Purge.values()) {
      cleanUp.put(task, CleanUp.defaults());
    }
  }

  InboxOptionsBuilder(InboxOptions options) {
    ordering = options.ordering();
    readBatch = options.reading().batch();
    poll = options.reading().poll();
    maximumPoll = options.reading().maximumPoll();
    delayBetweenReads = options.reading().delayBetweenReads();
    tenant = options.reading().tenant();
    coalescing = options.writing().coalescing();
    writeBatch = options.writing().batch();
    writeConcurrency = options.writing().concurrency();
    lease = options.leasing().duration();
    leaseExtension = options.leasing().extended();
    extensionThreshold = options.leasing().threshold();
    reclaim = options.leasing().reclaim();
    worker = options.leasing().worker();
    concurrency = options.handling().concurrency();
    retry = options.handling().retry();
    handlerTimeout = options.handling().timeout();
    shutdownGrace = options.handling().shutdownGrace();
    park = options.handling().park();
    afterDeadLetter = options.policy().afterDeadLetter();
    crashLimit = options.policy().crashes().limit();
    crashBackoff = options.policy().crashes().backoff();
    deduplicationWindow = options.policy().deduplicationWindow();
    deadLetters = options.policy().keepDeadLetters();
    deadLetterLifetime = options.policy().deadLetterLifetime();
    history = options.policy().history();
    cleanUp.putAll(options.cleanUp());
  }

  /** Whether messages are handled in order per group. Default: no order. */
  public InboxOptionsBuilder ordering(Ordering value) {
    ordering = value;
    return this;
  }

  /** The most messages one claim leases, and one batch handler is given. Default: 100. */
  public InboxOptionsBuilder readBatch(int value) {
    readBatch = value;
    return this;
  }

  /**
   * How often an idle channel is polled. A full batch is followed at once by the next claim, a
   * wake-up or the next due time comes earlier, and a channel that stays idle is polled less and
   * less often. Default: from one second to five.
   */
  public InboxOptionsBuilder poll(Duration first, Duration maximum) {
    poll = first;
    maximumPoll = maximum;
    return this;
  }

  /** The pause between two claims, to spare the store. Default: none. */
  public InboxOptionsBuilder delayBetweenReads(Duration value) {
    delayBetweenReads = value;
    return this;
  }

  /** Handle this tenant's messages only. Default: every tenant's. */
  public InboxOptionsBuilder tenant(String value) {
    tenant = value;
    return this;
  }

  /**
   * Gathers concurrent single writes that are in no transaction into one append; each caller still
   * returns only after its own message is stored. Default: off.
   */
  public InboxOptionsBuilder coalescing(boolean value) {
    coalescing = value;
    return this;
  }

  /** The most messages one coalesced append gathers. Default: 100. */
  public InboxOptionsBuilder writeBatch(int value) {
    writeBatch = value;
    return this;
  }

  /** Coalesced appends at once. Default: 1. */
  public InboxOptionsBuilder writeConcurrency(int value) {
    writeConcurrency = value;
    return this;
  }

  /**
   * How long a lease lasts unless it is extended: the time to recover from a crash. Default: 1m.
   */
  public InboxOptionsBuilder lease(Duration value) {
    lease = value;
    return this;
  }

  /** Whether leases are extended while handlers run. Default: yes. */
  public InboxOptionsBuilder leaseExtension(boolean value) {
    leaseExtension = value;
    return this;
  }

  /** The part of the lease after which it is extended, 0.1 to 0.9. Default: 0.5. */
  public InboxOptionsBuilder extensionThreshold(double value) {
    extensionThreshold = value;
    return this;
  }

  /**
   * How often expired leases are reclaimed; null means a quarter of the lease, and every five
   * seconds at least. Default: null.
   */
  public InboxOptionsBuilder reclaim(@Nullable Duration value) {
    reclaim = value;
    return this;
  }

  /** This worker's name for logs and consoles. Default: host, process and a random part. */
  public InboxOptionsBuilder worker(String value) {
    worker = value;
    return this;
  }

  /** Handlers at once. Default: 10. */
  public InboxOptionsBuilder concurrency(int value) {
    concurrency = value;
    return this;
  }

  /** What becomes of messages whose handler fails. Default: {@link RetryPolicy#defaults}. */
  public InboxOptionsBuilder retry(RetryPolicy value) {
    retry = value;
    return this;
  }

  /** Changes to the retry policy: {@code retry(retry -> retry.attempts(3))}. */
  public InboxOptionsBuilder retry(Consumer<RetryPolicy.Builder> settings) {
    retry = retry.with(settings);
    return this;
  }

  /** How long one handler call may take before it is interrupted. Default: no limit. */
  public InboxOptionsBuilder handlerTimeout(Duration value) {
    handlerTimeout = value;
    return this;
  }

  /** How long running handlers may go on after stop. Default: 30 seconds; zero means not at all. */
  public InboxOptionsBuilder shutdownGrace(Duration value) {
    shutdownGrace = value;
    return this;
  }

  /**
   * How long messages with an unknown contract are kept before they are dead-lettered. Default: 14
   * days.
   */
  public InboxOptionsBuilder park(Duration value) {
    park = value;
    return this;
  }

  /** What becomes of an ordered group whose head is dead-lettered. Default: it continues. */
  public InboxOptionsBuilder afterDeadLetter(AfterDeadLetter value) {
    afterDeadLetter = value;
    return this;
  }

  /** How often a message may crash its worker, and how long it waits after that. Default: 5. */
  public InboxOptionsBuilder crashes(int limit, Backoff backoff) {
    crashLimit = limit;
    crashBackoff = backoff;
    return this;
  }

  /**
   * How long a deduplication key is kept; null means for ever, zero that it only names its message.
   * Default: seven days.
   */
  public InboxOptionsBuilder deduplicationWindow(@Nullable Duration value) {
    deduplicationWindow = value;
    return this;
  }

  /**
   * Whether dead letters are kept: after too many attempts, deferrals or crashes, after the
   * lifetime, after a permanent error, and where the handler asks for it. Messages that were parked
   * for too long, have no handler or cannot be decoded are kept in any case. Default: yes.
   */
  public InboxOptionsBuilder deadLetters(boolean value) {
    deadLetters = value;
    return this;
  }

  /** How long dead letters are kept; null means for ever. Default: for ever. */
  public InboxOptionsBuilder deadLetterLifetime(@Nullable Duration value) {
    deadLetterLifetime = value;
    return this;
  }

  /** How long completed messages are kept; null means they are removed at once. Default: null. */
  public InboxOptionsBuilder history(@Nullable Duration value) {
    history = value;
    return this;
  }

  /** How one clean-up task runs: {@code cleanUp(Purge.HISTORY, task -> task.batch(100))}. */
  public InboxOptionsBuilder cleanUp(Purge task, Consumer<CleanUp.Builder> settings) {
    return cleanUp(task, CleanUp.of(settings));
  }

  /** How one clean-up task runs. Default: {@link CleanUp#defaults} for each. */
  public InboxOptionsBuilder cleanUp(Purge task, CleanUp value) {
    cleanUp.put(task, value);
    return this;
  }

  /**
   * The options.
   *
   * @throws InvalidOptionsException naming every violation
   */
  public InboxOptions build() {
    check();
    return new InboxOptions(
        ordering,
        new InboxOptions.Reading(
            readBatch,
            poll,
            maximumPoll,
            delayBetweenReads,
            tenant == null || tenant.isBlank() ? null : tenant),
        new InboxOptions.Writing(coalescing, writeBatch, writeConcurrency),
        new InboxOptions.Leasing(
            lease,
            leaseExtension,
            extensionThreshold,
            reclaim,
            worker == null || worker.isBlank() ? null : worker),
        new InboxOptions.Handling(concurrency, retry, handlerTimeout, shutdownGrace, park),
        new ChannelPolicy(
            afterDeadLetter,
            new ChannelPolicy.Crashes(crashLimit, crashBackoff),
            deduplicationWindow,
            deadLetters,
            deadLetterLifetime,
            history),
        Map.copyOf(cleanUp));
  }

  private void check() {
    Violations violations = new Violations("InboxOptions");
    checkBatch(violations, "readBatch", readBatch, Limits.BATCH);
    checkBatch(violations, "writeBatch", writeBatch, Limits.APPEND_BATCH);
    violations.positive("writeConcurrency", writeConcurrency);
    violations.positive("concurrency", concurrency);
    violations.positive("poll", poll);
    violations.check(
        poll == null || (maximumPoll != null && maximumPoll.compareTo(poll) >= 0),
        "maximum poll",
        maximumPoll,
        "must not be shorter than poll");
    violations.notNegative("delayBetweenReads", delayBetweenReads);
    violations.positive("lease", lease);
    violations.check(
        extensionThreshold >= 0.1 && extensionThreshold <= 0.9,
        "extensionThreshold",
        extensionThreshold,
        "must be from 0.1 to 0.9");
    violations.positiveOrNull("reclaim", reclaim);
    violations.check(
        worker == null || worker.length() <= Limits.KEY_LENGTH,
        "worker",
        worker,
        "must have at most " + Limits.KEY_LENGTH + " characters");
    violations.check(
        tenant == null || tenant.length() <= Limits.KEY_LENGTH,
        "tenant",
        tenant,
        "must have at most " + Limits.KEY_LENGTH + " characters");
    violations.positiveOrNull("handlerTimeout", handlerTimeout);
    violations.notNegative("shutdownGrace", shutdownGrace);
    violations.positive("park", park);
    violations.positive("crash limit", crashLimit);
    violations.check(
        deduplicationWindow == null || !deduplicationWindow.isNegative(),
        "deduplicationWindow",
        deduplicationWindow,
        "must not be negative");
    violations.positiveOrNull("deadLetterLifetime", deadLetterLifetime);
    violations.positiveOrNull("history", history);
    violations.raise();
  }

  private static void checkBatch(Violations violations, String option, int value, int maximum) {
    violations.check(value > 0 && value <= maximum, option, value, "must be from 1 to " + maximum);
  }
}
