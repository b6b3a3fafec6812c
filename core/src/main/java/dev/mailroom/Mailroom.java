package dev.mailroom;

import dev.mailroom.internal.MailroomAccess;
import dev.mailroom.internal.engine.ChannelDefinition;
import dev.mailroom.internal.engine.ChannelEngine;
import dev.mailroom.internal.engine.Engine;
import dev.mailroom.internal.inbox.Decoder;
import dev.mailroom.internal.write.StoredChannel;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.Inspectable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine and its inboxes.
 *
 * <pre>{@code
 * Mailroom mailroom =
 *     Mailroom.builder()
 *         .store(MemoryStore.create())
 *         .codec(new JacksonCodec())
 *         .inbox("orders", inbox -> inbox.on(OrderPlaced.class, order -> ship(order)))
 *         .build();
 * mailroom.start();
 * mailroom.inbox("orders").write(new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>Writing works before {@link #start} and in processes that never call it. Thread-safe.
 */
public final class Mailroom implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mailroom.class);

  static {
    MailroomAccess.set(
        new MailroomAccess() {
          @Override
          protected ChannelEngine channelEngine(Mailroom mailroom, String channel) {
            return mailroom.newChannelEngine(channel);
          }

          @Override
          protected FacadeContext facadeContext(Mailroom mailroom) {
            return mailroom.facadeContext();
          }
        });
  }

  private final Map<String, StoredChannel> channels;
  private final Map<String, Inbox> inboxes = new LinkedHashMap<>();
  private final Map<String, ChannelDefinition> lines;
  private final Engine engine;
  private final List<LifecycleHook> hooks;
  private final Decoder decoder;
  private final ReentrantLock lifecycle = new ReentrantLock();
  private final LifecycleLog log;
  private volatile Mode mode = Mode.STOPPED;

  Mailroom(
      Map<String, StoredChannel> channels,
      Map<String, ChannelDefinition> lines,
      Engine engine,
      List<LifecycleHook> hooks,
      Decoder decoder,
      LifecycleLog log) {
    this.channels = channels;
    this.log = log;
    channels.forEach((name, channel) -> inboxes.put(name, new Inbox(channel)));
    this.lines = lines;
    this.engine = engine;
    this.hooks = List.copyOf(hooks);
    this.decoder = decoder;
  }

  /** Starts the description of a mailroom. */
  public static MailroomBuilder builder() {
    return new MailroomBuilder();
  }

  /**
   * The inbox of that name.
   *
   * @throws IllegalArgumentException if there is none, naming the inboxes that exist
   */
  public Inbox inbox(String name) {
    Inbox inbox = inboxes.get(name);
    if (inbox == null) {
      throw unknown(name);
    }
    return inbox;
  }

  /**
   * Starts the background loops of every inbox that has handlers; no-op if they run.
   *
   * @throws IllegalStateException if only the clean-up was started: stop that first; or if it is
   *     closed
   */
  public void start() {
    begin(Mode.EVERYTHING, engine::start);
  }

  /**
   * Starts nothing but the clean-up and the reclaim of expired leases, for every inbox: for a
   * process that does only this. No-op if it runs.
   *
   * @throws IllegalStateException if everything was started, which includes the clean-up; or if it
   *     is closed
   */
  public void startCleanUp() {
    begin(Mode.CLEAN_UP, engine::startCleanUp);
  }

  private enum Mode {
    STOPPED,
    EVERYTHING,
    CLEAN_UP,
    CLOSED
  }

  private void begin(Mode wanted, Runnable start) {
    lifecycle.lock();
    try {
      if (mode == wanted) {
        return;
      }
      requireOpen();
      if (mode != Mode.STOPPED) {
        throw new IllegalStateException(
            mode == Mode.CLEAN_UP
                ? "This mailroom runs clean-up only: stop() it first."
                : "This mailroom runs already, and cleans up with it: stop() it first.");
      }
      beforeStart();
      mode = wanted; // also if only a part of it starts: stop() then ends that part
      start.run();
      log.started(wanted == Mode.CLEAN_UP);
    } finally {
      lifecycle.unlock();
    }
  }

  private void requireOpen() {
    if (mode == Mode.CLOSED) {
      throw new IllegalStateException(
          "This mailroom is closed, which is final: build a new one, or use stop() and start()"
              + " instead of close().");
    }
  }

  /** Hooks whose start was announced hear of the stop, also if a later one refuses the start. */
  private void beforeStart() {
    int announced = 0;
    try {
      for (LifecycleHook hook : hooks) {
        hook.beforeStart();
        announced++;
      }
    } finally {
      if (announced < hooks.size()) {
        afterStop(announced);
      }
    }
  }

  /**
   * Stops: messages that were leased but not started are released at once, running handlers may
   * finish within the grace time, then they are interrupted and their messages released. No-op if
   * it does not run; {@link #start} starts it again. An interrupt ends the wait; leases that are
   * still held then expire.
   */
  public void stop() {
    lifecycle.lock();
    try {
      if (isRunning()) {
        long began = engine.time().nanos();
        stopEngine();
        mode = Mode.STOPPED;
        afterStop(hooks.size());
        log.stopped(Duration.ofNanos(engine.time().nanos() - began));
      }
    } finally {
      lifecycle.unlock();
    }
  }

  private void stopEngine() {
    try {
      engine.stop();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void afterStop(int announced) {
    for (int i = announced - 1; i >= 0; i--) {
      try {
        hooks.get(i).afterStop();
      } catch (RuntimeException error) {
        LOG.warn("A hook failed after the stop", error);
      }
    }
  }

  /** Stops and starts again. */
  public void restart() {
    stop();
    start();
  }

  /** Whether background loops run, for everything or for clean-up only. */
  public boolean isRunning() {
    return mode == Mode.EVERYTHING || mode == Mode.CLEAN_UP;
  }

  /**
   * Stops as {@link #stop} does, and permanently: starting, handling and writing are refused from
   * then on with an {@link IllegalStateException}. Its stores stay open. No-op if it is closed.
   *
   * <p>What {@link Inbox#writeAsync} has accepted before is still stored afterwards: wait for its
   * stages before you close the store or end the process.
   */
  @Override
  public void close() {
    lifecycle.lock();
    try {
      stop();
    } finally {
      mode = Mode.CLOSED;
      channels.values().forEach(StoredChannel::close);
      lifecycle.unlock();
    }
  }

  /** Stops leasing for an inbox in this process; leased messages not started are released. */
  public void pause(String inbox) {
    requireKnown(inbox);
    engine.pause(inbox, true);
  }

  /** Leases again for an inbox that was paused. */
  public void resume(String inbox) {
    requireKnown(inbox);
    engine.pause(inbox, false);
  }

  /**
   * Handles everything that is due now in all inboxes, or the named ones, on the caller's thread
   * alone: for jobs, and for platforms where nothing runs between requests. Expired leases are
   * reclaimed first. Leases are extended between messages, so a single handler call must not take
   * longer than the lease.
   *
   * @return how many messages were handled, successfully or not
   */
  public long processPending(String... names) {
    long total = 0;
    for (ChannelDefinition line : chosen(names)) {
      ChannelEngine once = engine.newChannelEngine(line.channel().name());
      if (once != null) {
        total += process(once);
      }
    }
    return total;
  }

  private static long process(ChannelEngine once) {
    try {
      once.reclaim();
      return once.drain();
    } finally {
      try {
        once.finish();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt(); // leases that are still held expire
      }
    }
  }

  /**
   * Removes what has outlived its time in all inboxes, or the named ones, and reclaims expired
   * leases; on the caller's thread, until nothing is left.
   *
   * @return how many rows were removed
   */
  public long cleanUp(String... names) {
    long total = 0;
    for (ChannelDefinition line : chosen(names)) {
      var sweeper = engine.sweeper(line);
      sweeper.reclaim();
      total += sweeper.cleanUp();
    }
    return total;
  }

  /** How every inbox is doing in this process. */
  public List<ChannelHealth> health() {
    List<ChannelHealth> health = new ArrayList<>(lines.size());
    for (ChannelDefinition line : lines.values()) {
      String name = line.channel().name();
      ChannelEngine active = engine.running(name);
      health.add(
          new ChannelHealth(
              name,
              active != null,
              engine.isPaused(name),
              active == null ? null : active.lastSuccess(),
              active == null ? 0 : active.consecutiveFailures(),
              oldestDue(line)));
    }
    return health;
  }

  private static @Nullable Duration oldestDue(ChannelDefinition line) {
    if (!(line.store() instanceof Inspectable inspectable)) {
      return null;
    }
    try {
      return inspectable.counts(line.channel()).oldestDue();
    } catch (RuntimeException error) {
      // Health is asked for most when the store is down; the failed claims tell that.
      LOG.debug("The store of '{}' could not be asked", line.channel().name(), error);
      return null;
    }
  }

  private Collection<ChannelDefinition> chosen(String... names) {
    requireOpen();
    if (names.length == 0) {
      return lines.values();
    }
    List<ChannelDefinition> chosen = new ArrayList<>(names.length);
    for (String name : names) {
      ChannelDefinition line = lines.get(name);
      if (line == null) {
        throw unknown(name);
      }
      chosen.add(line);
    }
    return chosen;
  }

  private ChannelEngine newChannelEngine(String name) {
    requireKnown(name);
    ChannelEngine made = engine.newChannelEngine(name);
    if (made == null) {
      throw new IllegalArgumentException("Inbox '" + name + "' has no handlers: it is write-only.");
    }
    return made;
  }

  private void requireKnown(String name) {
    if (!lines.containsKey(name)) {
      throw unknown(name);
    }
  }

  /** What facades see of this mailroom. */
  FacadeContext facadeContext() {
    return new MailroomContext(this, channels, engine, decoder);
  }

  IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "No inbox is named '" + name + "'; the inboxes are " + lines.keySet() + ".");
  }
}
