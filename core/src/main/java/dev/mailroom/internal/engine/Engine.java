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
 * All channels of a mailroom in this process: starts and stops their engines together. Not
 * thread-safe: the owner synchronizes.
 */
public final class Engine {
  private static final Duration SWEEPER_WAIT = Duration.ofSeconds(5);

  private final Map<String, ChannelDefinition> definitions;
  private final EngineContext context;
  private final Waker waker;
  private final boolean cleaning;
  private final Set<String> paused = ConcurrentHashMap.newKeySet();
  private final List<WakeUps.Subscription> subscriptions = new ArrayList<>();
  private final List<ServiceLoop> sweepers = new ArrayList<>();
  private volatile Map<String, ChannelEngine> running = Map.of();

  /** An engine for these channels, not started. */
  public Engine(
      Map<String, ChannelDefinition> definitions,
      EngineContext context,
      Waker waker,
      boolean cleaning) {
    this.definitions = definitions;
    this.context = context;
    this.waker = waker;
    this.cleaning = cleaning;
  }

  /** The clocks of all channels. */
  public TimeSource time() {
    return context.time();
  }

  /** The telemetry of all channels. */
  public Telemetry telemetry() {
    return context.telemetry();
  }

  /** The services of a channel, not started; null if this process only writes. */
  public @Nullable ChannelEngine newChannelEngine(String name) {
    ChannelDefinition definition = definitions.get(name);
    ChannelSpec spec = definition == null ? null : definition.spec(context);
    return spec == null ? null : new ChannelEngine(spec, context, cleaning);
  }

  /** Starts every channel that has handlers. */
  public void start() {
    Map<String, ChannelEngine> engines = new LinkedHashMap<>();
    for (String name : definitions.keySet()) {
      ChannelEngine engine = newChannelEngine(name);
      if (engine != null) {
        waker.connect(name, engine);
        engines.put(name, engine);
      }
    }
    synchronized (paused) { // no pause or resume is missed in between
      engines.forEach((name, engine) -> engine.pause(paused.contains(name)));
      running = engines;
    }
    subscribe();
    engines.values().forEach(ChannelEngine::start);
  }

  private void subscribe() {
    Set<Store> stores = new HashSet<>();
    for (ChannelDefinition definition : definitions.values()) {
      if (definition.processor() != null
          && definition.store() instanceof WakeUps wakeUps
          && stores.add(definition.store())) {
        subscriptions.add(wakeUps.subscribe(waker::wake));
      }
    }
  }

  /** Starts only the clean-up and the reclaiming of expired leases, for every channel. */
  public void startCleanUp() {
    for (ChannelDefinition definition : definitions.values()) {
      Sweeper sweeper = sweeper(definition);
      sweepers.add(new ServiceLoop(sweeper, context, definition.channel().name()));
    }
    sweepers.forEach(ServiceLoop::start);
  }

  /** A sweeper that cleans up this channel. */
  public Sweeper sweeper(ChannelDefinition definition) {
    return new Sweeper(
        definition.channel(),
        definition.store(),
        definition.options(),
        context,
        true,
        new Signal());
  }

  /**
   * Stops all channels at the same time; running handlers get their shutdown grace. An interrupt
   * ends the wait: all threads are stopped, and the leases expire by themselves.
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

  /** Waits for each channel on a thread of its own, so that the grace periods run in parallel. */
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
      // The stop was interrupted: the interrupted caller stops all threads.
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
