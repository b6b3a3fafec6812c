package dev.mailroom.internal.engine;

import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All channels of a mailroom in this process: starts and stops their engines together. Not safe for
 * use by many threads; its owner takes turns.
 */
public final class Engine {
  private static final Duration SWEEPER_WAIT = Duration.ofSeconds(5);

  private final Map<String, Line> lines;
  private final EngineContext context;
  private final Waker waker;
  private final boolean cleaning;
  private final Set<String> paused = ConcurrentHashMap.newKeySet();
  private final List<WakeUps.Subscription> subscriptions = new ArrayList<>();
  private final List<ServiceLoop> sweepers = new ArrayList<>();
  private volatile Map<String, ChannelEngine> running = Map.of();

  /** An engine for these channels; nothing runs yet. */
  public Engine(Map<String, Line> lines, EngineContext context, Waker waker, boolean cleaning) {
    this.lines = lines;
    this.context = context;
    this.waker = waker;
    this.cleaning = cleaning;
  }

  /** The clocks that all channels share. */
  public TimeSource time() {
    return context.time();
  }

  /** Who is told by all channels. */
  public Telemetry telemetry() {
    return context.telemetry();
  }

  /** A channel's services, wired but not started; null if it is write-only here. */
  public @Nullable ChannelEngine newChannelEngine(String name) {
    Line line = lines.get(name);
    ChannelSpec spec = line == null ? null : line.spec(context);
    return spec == null ? null : new ChannelEngine(spec, context, cleaning);
  }

  /** Starts every channel that has handlers. */
  public void start() {
    Map<String, ChannelEngine> engines = new LinkedHashMap<>();
    for (String name : lines.keySet()) {
      ChannelEngine engine = newChannelEngine(name);
      if (engine != null) {
        waker.connect(name, engine);
        engines.put(name, engine);
      }
    }
    synchronized (paused) { // nobody is paused or resumed in between, and missed
      engines.forEach((name, engine) -> engine.pause(paused.contains(name)));
      running = engines;
    }
    subscribe();
    engines.values().forEach(ChannelEngine::start);
  }

  private void subscribe() {
    Set<Store> stores = new HashSet<>();
    for (Line line : lines.values()) {
      if (line.processor() != null
          && line.store() instanceof WakeUps wakeUps
          && stores.add(line.store())) {
        subscriptions.add(wakeUps.subscribe(waker::wake));
      }
    }
  }

  /** Starts nothing but the clean-up and the return of expired leases, for every channel. */
  public void startCleanUp() {
    for (Line line : lines.values()) {
      Sweeper sweeper = sweeper(line);
      sweepers.add(new ServiceLoop(sweeper, context, line.channel().name()));
    }
    sweepers.forEach(ServiceLoop::start);
  }

  /** A sweeper that cleans up this channel. */
  public Sweeper sweeper(Line line) {
    return new Sweeper(line.channel(), line.store(), line.options(), context, true, new Signal());
  }

  /**
   * Stops everything; running handlers get their grace time, all channels at once. An interrupt
   * cuts the waiting short: everything is told to end, and leases run out by themselves.
   */
  public void stop() throws InterruptedException {
    subscriptions.forEach(WakeUps.Subscription::close);
    subscriptions.clear();
    sweepers.forEach(ServiceLoop::stop);
    running.keySet().forEach(waker::disconnect);
    running.values().forEach(ChannelEngine::beginStop);
    try {
      awaitStop(running.values());
      for (ServiceLoop sweeper : sweepers) {
        sweeper.awaitEnd(SWEEPER_WAIT);
      }
    } catch (InterruptedException interrupted) {
      running.values().forEach(ChannelEngine::stopWithoutWaiting);
      throw interrupted;
    } finally {
      sweepers.clear();
      running = Map.of();
    }
  }

  /** Waits for each channel on a thread of its own, so that the grace times run side by side. */
  private static void awaitStop(Collection<ChannelEngine> engines) throws InterruptedException {
    List<Thread> waiting = new ArrayList<>(engines.size());
    for (ChannelEngine engine : engines) {
      Thread thread = new Thread(() -> awaitStop(engine), "mailroom-stop");
      thread.start();
      waiting.add(thread);
    }
    try {
      for (Thread thread : waiting) {
        thread.join();
      }
    } catch (InterruptedException interrupted) {
      waiting.forEach(Thread::interrupt);
      throw interrupted;
    }
  }

  private static void awaitStop(ChannelEngine engine) {
    try {
      engine.awaitStop();
    } catch (InterruptedException interrupted) {
      // The stop was cut short: whoever interrupted it tells everything to end.
    }
  }

  /** Pauses or resumes a channel, also for later starts. */
  public void pause(String name, boolean value) {
    synchronized (paused) {
      if (value) {
        paused.add(name);
      } else {
        paused.remove(name);
      }
      ChannelEngine engine = running.get(name);
      if (engine != null) {
        engine.pause(value);
      }
    }
  }

  /** Whether a channel was paused. */
  public boolean isPaused(String name) {
    return paused.contains(name);
  }

  /** The channel's running engine, or null. */
  public @Nullable ChannelEngine running(String name) {
    return running.get(name);
  }
}
