package dev.mailroom;

import dev.mailroom.options.CleanUp;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Purge;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an inbox behaves. {@link InboxOptionsBuilder} says what each option means. Immutable and
 * thread-safe.
 *
 * @param ordering whether messages are handled in order per group
 * @param reading how messages are claimed
 * @param writing how messages are written
 * @param leasing how long claimed messages are held
 * @param handling how handlers are run and what becomes of failures
 * @param policy what the store decides by itself: crashes, deduplication, dead letters, history
 * @param cleanUp how each clean-up task runs
 */
public record InboxOptions(
    Ordering ordering,
    Reading reading,
    Writing writing,
    Leasing leasing,
    Handling handling,
    ChannelPolicy policy,
    Map<Purge, CleanUp> cleanUp) {

  private static final InboxOptions DEFAULTS = builder().build();

  /** No option is set: each has its default. */
  public static InboxOptions defaults() {
    return DEFAULTS;
  }

  /** A builder that starts with the defaults. */
  public static InboxOptionsBuilder builder() {
    return new InboxOptionsBuilder();
  }

  /** Options for reuse: {@code InboxOptions.of(options -> options.concurrency(4))}. */
  public static InboxOptions of(Consumer<InboxOptionsBuilder> settings) {
    InboxOptionsBuilder builder = builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public InboxOptionsBuilder toBuilder() {
    return new InboxOptionsBuilder(this);
  }

  /**
   * How messages are claimed.
   *
   * @param batch the most messages one claim leases, and one batch handler is given
   * @param poll how often an idle channel is polled, at first
   * @param maximumPoll how often an idle channel is polled, in the long run
   * @param delayBetweenReads the pause between two claims
   * @param tenant handle this tenant's messages only; null means every tenant's
   */
  public record Reading(
      int batch,
      Duration poll,
      Duration maximumPoll,
      Duration delayBetweenReads,
      @Nullable String tenant) {}

  /**
   * How messages are written.
   *
   * @param coalescing whether concurrent single writes are gathered into one append
   * @param batch the most messages one coalesced append gathers
   * @param concurrency coalesced appends at once
   */
  public record Writing(boolean coalescing, int batch, int concurrency) {}

  /**
   * How long claimed messages are held.
   *
   * @param duration how long a lease lasts unless it is extended
   * @param extended whether it is extended while handlers run
   * @param threshold the part of the duration after which it is extended
   * @param reclaim how often expired leases are reclaimed; null means a quarter of the duration,
   *     and every five seconds at least
   * @param worker this worker's name for logs and consoles; null means host, process and a random
   *     part
   */
  public record Leasing(
      Duration duration,
      boolean extended,
      double threshold,
      @Nullable Duration reclaim,
      @Nullable String worker) {}

  /**
   * How handlers are run.
   *
   * @param concurrency handlers at once
   * @param retry what becomes of failures
   * @param timeout how long one call may take; null means no limit
   * @param shutdownGrace how long running handlers may go on after stop
   * @param park how long messages with an unknown contract are kept before they are dead-lettered
   */
  public record Handling(
      int concurrency,
      RetryPolicy retry,
      @Nullable Duration timeout,
      Duration shutdownGrace,
      Duration park) {}
}
