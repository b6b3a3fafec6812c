package dev.mailroom.internal.engine;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that process one channel in this process. It runs in one of two ways: {@link #start}
 * gives every service its thread; without it, {@link #step} and the other single-step methods do
 * one pass each on the caller's thread.
 */
public final class ChannelEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelEngine.class);
  // After the grace time: for interrupted handlers to return and for their outcomes to be stored.
  private static final Duration FINAL_WAIT = Duration.ofSeconds(5);
  private static final int FINAL_ATTEMPTS = 8; // together about as long

  /**
   * The most empty claims in a row that a drain makes while the store reports more due messages.
   */
  private static final int MAX_EMPTY_CLAIMS = 100;

  private final ChannelSpec spec;
  private final HeldLeases heldLeases = new HeldLeases();
  private final WorkBuffer buffer = new WorkBuffer();
  private final PrefetchWindow window;
  private final Fetcher fetcher;
  private final LeasedAppends leasedAppends;
  private final Runner runner;
  private final Settler settler;
  private final LeaseExtender extender;
  private final Sweeper sweeper;
  private final Workers workers;
  private final InterruptibleInvocation ownInvocation;
  private final List<ServiceLoop> loops = new ArrayList<>();
  private final ServiceLoop fetcherLoop;
  private final ServiceLoop settlerLoop;
  private boolean started;

  /**
   * Creates the services of one channel without starting them.
   *
   * @param cleaning whether the sweeper also runs the clean-up tasks
   */
  public ChannelEngine(ChannelSpec spec, EngineContext context, boolean cleaning) {
    this.spec = spec;
    Signal workAvailable = new Signal();
    this.settler =
        new Settler(
            spec,
            context,
            heldLeases,
            () -> buffer.running() == 0 && buffer.isEmpty(),
            workAvailable);
    this.window = new PrefetchWindow(spec, buffer, settler::isBehind, context.time());
    LeaseDispatcher dispatcher =
        new LeaseDispatcher(spec, context, buffer, heldLeases, this::workAdded);
    this.fetcher = new Fetcher(spec, context, workAvailable, window, dispatcher);
    this.leasedAppends = new LeasedAppends(spec, context, window, fetcher, dispatcher);
    this.runner = new Runner(spec, context, settler, heldLeases, window, fetcher::isPaused);
    this.extender = new LeaseExtender(spec, context, heldLeases);
    this.sweeper =
        new Sweeper(spec.channel(), spec.store(), spec.options(), context, cleaning, workAvailable);
    this.workers =
        new Workers(
            spec.options().handling().concurrency(),
            new HandlerThreadFactory(spec.channel().name()).handlers(),
            buffer,
            runner::run,
            context.time(),
            new WorkerEvents(window));
    this.ownInvocation = new InterruptibleInvocation(context.time());
    String name = spec.channel().name();
    this.fetcherLoop = new ServiceLoop(fetcher, context, name);
    this.settlerLoop = new ServiceLoop(settler, context, name, () -> !settler.isEmpty());
    loops.add(settlerLoop);
    loops.add(new ServiceLoop(extender, context, name));
    loops.add(new ServiceLoop(sweeper, context, name));
    if (spec.processor().timed()) {
      loops.add(new ServiceLoop(new HandlerTimeouts(workers), context, name));
    }
  }

  private final class WorkerEvents implements Workers.Listener {
    private final PrefetchWindow window;

    private WorkerEvents(PrefetchWindow window) {
      this.window = window;
    }

    @Override
    public void workDone() {
      if (window.needsRefill()) {
        fetcher.signal().raise();
      }
    }

    @Override
    public void nothingToDo() {
      workDone();
      if (!settler.isEmpty()) {
        settler.signal().raise();
      }
    }
  }

  private void workAdded() {
    if (fetcher.isPaused()) {
      releaseBuffered(); // paused during the claim
    } else if (started) {
      workers.wake();
    }
  }

  /** The signal to raise when the channel may have messages to lease. */
  public Signal wakeUp() {
    return fetcher.signal();
  }

  /** Leases messages as this process appends them. */
  LeasedAppends leasedAppends() {
    return leasedAppends;
  }

  /**
   * Pauses or resumes leasing in this process; leased messages that were not started are released.
   */
  public void pause(boolean paused) {
    fetcher.pause(paused);
    if (paused) {
      releaseBuffered();
    }
  }

  /** Whether it was paused. */
  public boolean isPaused() {
    return fetcher.isPaused();
  }

  /** When a claim last succeeded, or null. */
  public @Nullable Instant lastSuccess() {
    return fetcherLoop.lastSuccess();
  }

  /** How many claims have failed since. */
  public int consecutiveFailures() {
    return fetcherLoop.consecutiveFailures();
  }

  /** Gives every service its thread. */
  public void start() {
    started = true;
    leasedAppends.open(true); // before the first claim, which may allow them
    loops.forEach(ServiceLoop::start);
    fetcherLoop.start();
  }

  /** Stops leasing and starting messages; running handlers continue. */
  public void beginStop() {
    runner.stopStarting();
    leasedAppends.open(false);
    fetcherLoop.stop();
  }

  /** Waits for running handlers, stores their outcomes and ends all threads. */
  public void awaitStop() throws InterruptedException {
    if (!fetcherLoop.awaitEnd(FINAL_WAIT)) {
      LOG.warn(
          "The fetcher of '{}' is blocked in its store; continuing the stop without it",
          spec.channel().name());
    }
    releaseBuffered();
    settler.signal().raise();
    workers.stop();
    if (!workers.awaitEnd(spec.options().handling().shutdownGrace())) {
      workers.interruptAll();
      if (!workers.awaitEnd(FINAL_WAIT)) {
        LOG.warn(
            "Handlers of '{}' ignored the interrupt; their messages are released nevertheless",
            spec.channel().name());
      }
    }
    loops.forEach(ServiceLoop::stop);
    if (settlerLoop.awaitEnd(FINAL_WAIT)) {
      settleTheRest();
    } else {
      LOG.warn(
          "Outcomes of '{}' still wait for their store; retrying until their leases expire",
          spec.channel().name());
    }
    for (ServiceLoop loop : loops) {
      if (loop != settlerLoop && !loop.awaitEnd(FINAL_WAIT)) {
        LOG.warn(
            "A service of '{}' is blocked in its store; leaving its thread", spec.channel().name());
      }
    }
  }

  /** Stops all threads without waiting for them; the leases expire by themselves. */
  public void stopWithoutWaiting() {
    beginStop();
    workers.stop();
    workers.interruptAll();
    loops.forEach(ServiceLoop::stop);
  }

  private void settleTheRest() {
    try {
      settler.flush();
      Set<UUID> tokens = heldLeases.tokens();
      if (!tokens.isEmpty()) {
        spec.store().release(spec.channel(), tokens);
      }
    } catch (RuntimeException error) {
      LOG.warn(
          "Leases of '{}' could not be released; other workers take the messages when they expire",
          spec.channel().name(),
          error);
    }
  }

  private void releaseBuffered() {
    WorkItem work = buffer.poll();
    while (work != null) {
      runner.release(work.lease(), work.messages());
      buffer.finished();
      work = buffer.poll();
    }
  }

  /** Releases what was not started and stores waiting outcomes, as the end of a stop does. */
  public void releaseAndSettle() {
    runner.stopStarting();
    releaseBuffered();
    settleTheRest();
  }

  /**
   * Appends messages and leases those that fit into the prefetch window, as a write of this process
   * does.
   *
   * @return null if nothing was stored: the window is full, or the store is no LeasingWriter
   */
  public @Nullable List<AppendResult> appendLeased(List<NewMessage> messages) {
    leasedAppends.open(!runner.isStopping());
    return leasedAppends.append(messages);
  }

  /** One pass of the fetcher; returns the delay before the next. */
  public Duration fetch() {
    return fetcher.pass();
  }

  /** Runs one buffered work item on the caller's thread; false if there was none. */
  public boolean step() {
    WorkItem work = buffer.poll();
    if (work == null) {
      return false;
    }
    try {
      runner.run(work, ownInvocation);
    } finally {
      buffer.finished();
    }
    return true;
  }

  /** Stores the waiting outcomes. */
  public void settle() {
    settler.flush();
  }

  /** One pass of the lease extender; returns the delay before the next. */
  public Duration extendLeases() {
    return extender.pass();
  }

  /** One pass of the sweeper; returns the delay before the next. */
  public Duration sweep() {
    return sweeper.pass();
  }

  /** Reclaims expired leases, now; returns their number. */
  public int reclaim() {
    return sweeper.reclaim();
  }

  /** The number of leased messages that wait for a worker. */
  public int buffered() {
    return buffer.messages();
  }

  /** Whether any leased message is not settled yet. */
  public boolean holdsLeases() {
    return !heldLeases.isEmpty();
  }

  /**
   * Handles all due messages on the caller's thread; starts no other thread.
   *
   * @return the number of messages handled
   */
  public long drain() {
    long before = window.handled();
    boolean more = !runner.isStopping();
    int emptyClaims = 0;
    while (more) {
      fetcher.claimNow();
      boolean found = false;
      while (step()) {
        found = true;
        extendIfPossible();
      }
      settle();
      emptyClaims = found ? 0 : emptyClaims + 1;
      more = found || (fetcher.hasMoreDue() && emptyClaims < MAX_EMPTY_CLAIMS);
    }
    return window.handled() - before;
  }

  private void extendIfPossible() {
    try {
      extendLeases();
    } catch (RuntimeException error) {
      LOG.warn("Leases of '{}' could not be extended", spec.channel().name(), error);
    }
  }

  /** Ends the work of {@link #drain}: retries outcomes that could not be stored. */
  public void finish() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Duration rest = settler.flush();
    for (int tries = 1; tries < FINAL_ATTEMPTS && !rest.isZero(); tries++) {
      if (never.await(rest.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(
            "This latch is never counted down: it is an interruptible wait.");
      }
      rest = settler.flush();
    }
    releaseAndSettle();
  }
}
