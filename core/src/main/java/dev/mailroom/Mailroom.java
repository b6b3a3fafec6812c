package dev.mailroom;

import dev.mailroom.internal.MailroomAccess;
import dev.mailroom.internal.engine.ChannelDefinition;
import dev.mailroom.internal.engine.ChannelEngine;
import dev.mailroom.internal.engine.Engine;
import dev.mailroom.internal.inbox.Decoder;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.time.TimeSource;
import java.lang.reflect.Type;
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
 *         .inbox("orders", inbox -> inbox.handler(OrderPlaced.class, delivery -> {
 *           ship(delivery.payload());
 *           return Result.success();
 *         }))
 *         .build();
 * mailroom.start();
 * mailroom.inbox("orders").write(new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>Writing works before {@link #start} and in processes that never call it. Safe for use by many
 * threads.
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
        });
  }

  private final Map<String, MessageChannel> channels;
  private final Map<String, Inbox> inboxes = new LinkedHashMap<>();
  private final Map<String, ChannelDefinition> lines;
  private final Engine engine;
  private final List<LifecycleHook> hooks;
  private final Decoder decoder;
  private final ReentrantLock lifecycle = new ReentrantLock();
  private volatile Mode mode = Mode.STOPPED;

  Mailroom(
      Map<String, MessageChannel> channels,
      Map<String, ChannelDefinition> lines,
      Engine engine,
      List<LifecycleHook> hooks,
      Decoder decoder) {
    this.channels = channels;
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
   * @throws IllegalArgumentException if there is none, naming those that there are
   */
  public Inbox inbox(String name) {
    Inbox inbox = inboxes.get(name);
    if (inbox == null) {
      throw unknown(name);
    }
    return inbox;
  }

  /**
   * Starts the background loops of every inbox that has handlers; nothing if they run already.
   *
   * @throws IllegalStateException if only the clean-up was started: stop that first
   */
  public void start() {
    begin(Mode.EVERYTHING, engine::start);
  }

  /**
   * Starts nothing but the clean-up and the return of expired leases, for every inbox: for a
   * process that does only this. Nothing if it runs already.
   *
   * @throws IllegalStateException if everything was started, which includes the clean-up
   */
  public void startCleanUp() {
    begin(Mode.CLEAN_UP, engine::startCleanUp);
  }

  private enum Mode {
    STOPPED,
    EVERYTHING,
    CLEAN_UP
  }

  private void begin(Mode wanted, Runnable start) {
    lifecycle.lock();
    try {
      if (mode == wanted) {
        return;
      }
      if (mode != Mode.STOPPED) {
        throw new IllegalStateException(
            mode == Mode.CLEAN_UP
                ? "This mailroom runs clean-up only: stop() it first."
                : "This mailroom runs already, and cleans up with it: stop() it first.");
      }
      beforeStart();
      mode = wanted; // also if only a part of it starts: stop() then ends that part
      start.run();
    } finally {
      lifecycle.unlock();
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
   * Stops: what was leased but not started is given back at once, running handlers may finish
   * within the grace time, then they are interrupted and their messages given back. Nothing if it
   * does not run. An interrupt cuts the waiting short; leases then run out by themselves.
   */
  public void stop() {
    lifecycle.lock();
    try {
      if (mode != Mode.STOPPED) {
        stopEngine();
        mode = Mode.STOPPED;
        afterStop(hooks.size());
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

  /** Whether background loops run, be it for everything or for clean-up only. */
  public boolean isRunning() {
    return mode != Mode.STOPPED;
  }

  /** Stops, as {@link #stop} does: when it returns, all outcomes that could be are stored. */
  @Override
  public void close() {
    stop();
  }

  /** Stops leasing for an inbox in this process; what was leased but not started is given back. */
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
   * and without any other: for jobs, and for places where nothing runs between requests. Expired
   * leases are taken back first. Leases are extended between messages, so a single handler call
   * must not take longer than the lease.
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
        Thread.currentThread().interrupt(); // leases that are still held run out by themselves
      }
    }
  }

  /**
   * Removes what has outlived its time in all inboxes, or the named ones, and takes expired leases
   * back; on the caller's thread, until nothing is left.
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
    return new Context();
  }

  private final class Context implements FacadeContext {
    @Override
    public MessageChannel channel(String name) {
      MessageChannel channel = channels.get(name);
      if (channel == null) {
        throw unknown(name);
      }
      return channel;
    }

    @Override
    public long processPending(String name) {
      return Mailroom.this.processPending(name);
    }

    @Override
    public TimeSource time() {
      return engine.time();
    }

    @Override
    public Telemetry telemetry() {
      return engine.telemetry();
    }

    @Override
    public Object decode(Payload payload, Type type) {
      return decoder.decode(payload, type);
    }

    @Override
    public Object decode(Payload payload) {
      return decoder.decode(payload);
    }

    @Override
    public TypeReference<?> typeOf(Payload payload) {
      return TypeReference.of(decoder.typeOf(payload));
    }
  }

  private IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "There is no inbox named '" + name + "'; there are " + lines.keySet() + ".");
  }
}
