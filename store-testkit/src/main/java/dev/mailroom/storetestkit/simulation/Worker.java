package dev.mailroom.storetestkit.simulation;

import dev.mailroom.Mailroom;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One life of a worker: a mailroom in a process of its own, driven by hand. */
final class Worker {

  /** What has a thread of its own in production, and so never overlaps with itself. */
  enum Service {
    FETCH,
    HANDLE,
    SETTLE,
    KEEP,
    SWEEP,
    STOP
  }

  final SimulatedProcess process;
  final DriftingTime time;
  private final World world;
  private final ManualEngine engine;
  private final Set<Service> active = EnumSet.noneOf(Service.class);
  private long pausedUntil;

  Worker(World world, String name, Store store) {
    this.world = world;
    this.process = new SimulatedProcess(name, false);
    this.time =
        new DriftingTime(
            world.time,
            world.random.nextLong(),
            Duration.ofSeconds(world.random.nextInt(-600, 600)));
    SimulatedHandler handler = new SimulatedHandler(world, this);
    Mailroom mailroom =
        Mailroom.builder()
            .store(FaultyStore.of(world, process, store))
            .time(time)
            .random(world.random.split())
            .storageRetry(StorageRetry.builder().retries(0).build())
            .contracts(World::register)
            .inbox(
                world.channel.name(),
                inbox -> {
                  inbox.options(world.model.tuning.inbox(world.model.options, name));
                  boolean relayed = world.model.tuning.relayed();
                  if (world.model.options.batched() && relayed) {
                    inbox.batchRelay(handler::handleBatch);
                  } else if (relayed) {
                    inbox.relay(handler::handle);
                  } else if (world.model.options.batched()) {
                    inbox.batchHandler(String.class, handler::handleBatch);
                    inbox.batchHandler(byte[].class, handler::handleBatch);
                  } else {
                    inbox.handler(String.class, handler::handle);
                    inbox.handler(byte[].class, handler::handle);
                  }
                })
            .build();
    this.engine = new ManualEngine(mailroom, world.channel.name());
  }

  /** One pass of a service, unless it is in the middle of one; whatever happens is noted. */
  void run(Service service) {
    if (!mayRun(service)) {
      return;
    }
    active.add(service);
    try {
      perform(service);
    } catch (Crash end) {
      world.model.note(process.name + " is dead");
    } catch (TransientStoreException passing) {
      world.model.note(process.name + " failed to " + service);
    } catch (RuntimeException unexpected) {
      String what = process.name + " failed to " + service + ": " + unexpected;
      throw world.model.failure(Invariant.NO_SURPRISE, what, unexpected);
    } finally {
      active.remove(service);
    }
    world.model.requireSound();
  }

  /** A write in this process, of messages that it may lease at once; null if it does not. */
  @Nullable List<AppendResult> arrive(List<NewMessage> messages) {
    return isPaused() || active.contains(Service.STOP) ? null : engine.appendLeased(messages);
  }

  /** The end of a process begins when its other threads have ended. */
  private boolean mayRun(Service service) {
    boolean alone = service == Service.STOP || active.contains(Service.STOP);
    return alone ? active.isEmpty() : !active.contains(service);
  }

  private void perform(Service service) {
    switch (service) {
      case FETCH -> engine.fetch();
      case HANDLE -> engine.handle();
      case SETTLE -> engine.settle();
      case KEEP -> engine.extendLeases();
      case SWEEP -> engine.sweep();
      case STOP -> {
        world.model.note(process.name + " stops");
        engine.stop();
        process.die();
      }
    }
  }

  void pauseUntil(long nanos) {
    pausedUntil = Math.max(pausedUntil, nanos);
  }

  boolean isPaused() {
    return world.time.nanos() < pausedUntil;
  }

  void wakeUp() {
    pausedUntil = 0;
  }

  int buffered() {
    return engine.buffered();
  }

  boolean holdsLeases() {
    return engine.holdsLeases();
  }
}
