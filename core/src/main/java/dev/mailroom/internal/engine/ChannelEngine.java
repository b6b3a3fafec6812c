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
 * The services that work on one channel in this process, wired together. It runs in one of two
 * ways: {@link #start} gives every service its thread; without it, {@link #step} and its kin do one
 * pass each on the caller's thread.
 */
public final class ChannelEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelEngine.class);
  // After the grace time: for interrupted handlers to return and for their outcomes to be stored.
  private static final Duration LAST_WAIT = Duration.ofSeconds(5);
  private static final int LAST_TRIES = 8; // which take about as long

  /** How many claims that find nothing, and have not looked at everything, a drain makes. */
  private static final int MOST_IN_VAIN = 100;

  private final ChannelSpec spec;
  private final LeaseBook book = new LeaseBook();
  private final WorkBuffer buffer = new WorkBuffer();
  private final Appetite appetite;
  private final Fetcher fetcher;
  private final Arrivals arrivals;
  private final Runner runner;
  private final Settler settler;
  private final LeaseKeeper keeper;
  private final Sweeper sweeper;
  private final Workers workers;
  private final CallGuard ownGuard;
  private final List<ServiceLoop> loops = new ArrayList<>();
  private final ServiceLoop fetcherLoop;
  private final ServiceLoop settlerLoop;
  private boolean started;

  /**
   * Wires the services of one channel; nothing runs yet.
   *
   * @param cleaning whether the sweeper also runs the clean-up tasks
   */
  public ChannelEngine(ChannelSpec spec, EngineContext context, boolean cleaning) {
    this.spec = spec;
    Signal claimable = new Signal();
    this.settler =
        new Settler(
            spec, context, book, () -> buffer.running() == 0 && buffer.isEmpty(), claimable);
    this.appetite = new Appetite(spec, buffer, settler::isBehind, context.time());
    Intake intake = new Intake(spec, context, buffer, book, this::workAdded);
    this.fetcher = new Fetcher(spec, context, claimable, appetite, intake);
    this.arrivals = new Arrivals(spec, context, appetite, fetcher, intake);
    this.runner = new Runner(spec, context, settler, book, appetite, fetcher::isPaused);
    this.keeper = new LeaseKeeper(spec, context, book);
    this.sweeper =
        new Sweeper(spec.channel(), spec.store(), spec.options(), context, cleaning, claimable);
    this.workers =
        new Workers(
            spec.options().handling().concurrency(),
            new Threads(spec.channel().name()).handlers(),
            buffer,
            runner::run,
            context.time(),
            new HungryWorkers(appetite));
    this.ownGuard = new CallGuard(context.time());
    String name = spec.channel().name();
    this.fetcherLoop = new ServiceLoop(fetcher, context, name);
    this.settlerLoop = new ServiceLoop(settler, context, name, () -> !settler.isEmpty());
    loops.add(settlerLoop);
    loops.add(new ServiceLoop(keeper, context, name));
    loops.add(new ServiceLoop(sweeper, context, name));
    if (spec.processor().timed()) {
      loops.add(new ServiceLoop(new HandlerWatch(workers), context, name));
    }
  }

  private final class HungryWorkers implements Workers.Hungry {
    private final Appetite appetite;

    private HungryWorkers(Appetite appetite) {
      this.appetite = appetite;
    }

    @Override
    public void workDone() {
      if (appetite.isHungryAgain()) {
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
      releaseBuffered(); // paused while the claim was under way
    } else if (started) {
      workers.wake();
    }
  }

  /** What to raise when the channel may have something to lease. */
  public Signal wakeUp() {
    return fetcher.signal();
  }

  /** Where messages that this process writes arrive. */
  Arrivals arrivals() {
    return arrivals;
  }

  /** Stops or resumes leasing in this process; what was leased but not started is given back. */
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
    arrivals.open(true); // before the first claim, which invites them
    loops.forEach(ServiceLoop::start);
    fetcherLoop.start();
  }

  /** Stops leasing and gives back at once what was not started; running handlers go on. */
  public void beginStop() {
    runner.stopStarting();
    arrivals.open(false);
    fetcherLoop.stop();
  }

  /** Waits for running handlers, stores their outcomes and ends all threads. */
  public void awaitStop() throws InterruptedException {
    if (!fetcherLoop.awaitEnd(LAST_WAIT)) {
      LOG.warn("The fetcher of '{}' hangs in its store; going on", spec.channel().name());
    }
    releaseBuffered();
    settler.signal().raise();
    workers.stop();
    if (!workers.awaitEnd(spec.options().handling().shutdownGrace())) {
      workers.interruptAll();
      if (!workers.awaitEnd(LAST_WAIT)) {
        LOG.warn(
            "Handlers of '{}' ignored the interrupt; their messages are given back all the same",
            spec.channel().name());
      }
    }
    loops.forEach(ServiceLoop::stop);
    if (settlerLoop.awaitEnd(LAST_WAIT)) {
      settleTheRest();
    } else {
      LOG.warn(
          "Outcomes of '{}' still wait for their store; trying on until their leases end",
          spec.channel().name());
    }
    for (ServiceLoop loop : loops) {
      if (loop != settlerLoop && !loop.awaitEnd(LAST_WAIT)) {
        LOG.warn("A loop of '{}' hangs in its store; leaving it", spec.channel().name());
      }
    }
  }

  /** Asks everything to end without waiting for it; leases run out by themselves. */
  public void stopWithoutWaiting() {
    beginStop();
    workers.stop();
    workers.interruptAll();
    loops.forEach(ServiceLoop::stop);
  }

  private void settleTheRest() {
    try {
      settler.flush();
      Set<UUID> tokens = book.tokens();
      if (!tokens.isEmpty()) {
        spec.store().release(spec.channel(), tokens);
      }
    } catch (RuntimeException error) {
      LOG.warn(
          "What '{}' still held could not be given back; others take it when the leases expire",
          spec.channel().name(),
          error);
    }
  }

  private void releaseBuffered() {
    Work work = buffer.poll();
    while (work != null) {
      runner.release(work.lease(), work.messages());
      buffer.finished();
      work = buffer.poll();
    }
  }

  /** Gives back what was not started and stores what waits, as the end of a shutdown does. */
  public void releaseAndSettle() {
    runner.stopStarting();
    releaseBuffered();
    settleTheRest();
  }

  /**
   * Stores messages and leases those that this engine has room for, as a write in its process does.
   *
   * @return null if nothing was stored, since it has no room, or the store cannot do this
   */
  public @Nullable List<AppendResult> arrive(List<NewMessage> messages) {
    arrivals.open(!runner.isStopping());
    return arrivals.append(messages);
  }

  /** One pass of the fetcher; answers how long it would rest. */
  public Duration fetch() {
    return fetcher.pass();
  }

  /** Does one buffered work on the caller's thread; false if there was none. */
  public boolean step() {
    Work work = buffer.poll();
    if (work == null) {
      return false;
    }
    try {
      runner.run(work, ownGuard);
    } finally {
      buffer.finished();
    }
    return true;
  }

  /** Stores the outcomes that wait. */
  public void settle() {
    settler.flush();
  }

  /** One pass of the lease keeper; answers how long it would rest. */
  public Duration keep() {
    return keeper.pass();
  }

  /** One pass of the sweeper; answers how long it would rest. */
  public Duration sweep() {
    return sweeper.pass();
  }

  /** Takes expired leases back, now. */
  public int reclaim() {
    return sweeper.reclaim();
  }

  /** How many messages are leased and wait for a worker. */
  public int buffered() {
    return buffer.messages();
  }

  /** Whether some leased message is not settled yet. */
  public boolean holdsLeases() {
    return !book.isEmpty();
  }

  /**
   * Handles everything that is due, on the caller's thread and without any other.
   *
   * @return how many messages were handled
   */
  public long drain() {
    long before = appetite.handled();
    boolean more = !runner.isStopping();
    int inVain = 0;
    while (more) {
      fetcher.claimNow();
      boolean found = false;
      while (step()) {
        found = true;
        keepIfPossible();
      }
      settle();
      inVain = found ? 0 : inVain + 1;
      more = found || (fetcher.hasLeftSome() && inVain < MOST_IN_VAIN);
    }
    return appetite.handled() - before;
  }

  private void keepIfPossible() {
    try {
      keep();
    } catch (RuntimeException error) {
      LOG.warn("Leases of '{}' could not be extended for a moment", spec.channel().name(), error);
    }
  }

  /** Ends the work of {@link #drain}: outcomes that could not be stored are tried again. */
  public void finish() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Duration rest = settler.flush();
    for (int tries = 1; tries < LAST_TRIES && !rest.isZero(); tries++) {
      if (never.await(rest.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException("Nobody counts this latch down: it is a wait.");
      }
      rest = settler.flush();
    }
    releaseAndSettle();
  }
}
