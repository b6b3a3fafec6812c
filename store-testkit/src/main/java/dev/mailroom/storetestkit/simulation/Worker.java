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

/** A worker: a mailroom in its own simulated process, with a manual engine. */
final class Worker {

  /** The engine's services. Each has its own thread in production, so it never overlaps itself. */
  enum Service {
    FETCH,
    HANDLE,
    SETTLE,
    EXTEND,
    SWEEP,
    STOP
  }

  final SimulatedProcess process;
  final DriftingTime time;
  private final SimulatedCluster cluster;
  private final ManualEngine engine;
  private final Set<Service> active = EnumSet.noneOf(Service.class);
  private long pausedUntil;

  Worker(SimulatedCluster cluster, String name, Store store) {
    this.cluster = cluster;
    this.process = new SimulatedProcess(name, false);
    this.time =
        new DriftingTime(
            cluster.time,
            cluster.random.nextLong(),
            Duration.ofSeconds(cluster.random.nextInt(-600, 600)));
    SimulatedHandler handler = new SimulatedHandler(cluster, this);
    Mailroom mailroom =
        Mailroom.builder()
            .store(FaultyStore.of(cluster, process, store))
            .time(time)
            .random(cluster.random.split())
            .storageRetry(StorageRetry.builder().retries(0).build())
            .contracts(SimulatedCluster::register)
            .inbox(
                cluster.channel.name(),
                inbox -> {
                  inbox.options(cluster.model.seeded.inbox(cluster.model.options, name));
                  boolean relayed = cluster.model.seeded.relayed();
                  if (cluster.model.options.batched() && relayed) {
                    inbox.batchRelay(handler::handleBatch);
                  } else if (relayed) {
                    inbox.relay(handler::handle);
                  } else if (cluster.model.options.batched()) {
                    inbox.batchHandler(String.class, handler::handleBatch);
                    inbox.batchHandler(byte[].class, handler::handleBatch);
                  } else {
                    inbox.handler(String.class, handler::handle);
                    inbox.handler(byte[].class, handler::handle);
                  }
                })
            .build();
    this.engine = new ManualEngine(mailroom, cluster.channel.name());
  }

  /** Runs one pass of a service, unless one is active, and logs failures. */
  void run(Service service) {
    if (!mayRun(service)) {
      return;
    }
    active.add(service);
    try {
      perform(service);
    } catch (SimulatedCrash end) {
      cluster.model.note(process.name + " is dead");
    } catch (TransientStoreException passing) {
      cluster.model.note(process.name + " failed to " + service);
    } catch (RuntimeException unexpected) {
      String what = process.name + " failed to " + service + ": " + unexpected;
      throw cluster.model.failure(Invariant.NO_UNEXPECTED_EXCEPTION, what, unexpected);
    } finally {
      active.remove(service);
    }
    cluster.model.throwIfFailed();
  }

  /** Appends and leases messages in this process; null if it does not lease them. */
  @Nullable List<AppendResult> appendLeased(List<NewMessage> messages) {
    return isPaused() || active.contains(Service.STOP) ? null : engine.appendLeased(messages);
  }

  /** A process stops after its other services have finished. */
  private boolean mayRun(Service service) {
    boolean alone = service == Service.STOP || active.contains(Service.STOP);
    return alone ? active.isEmpty() : !active.contains(service);
  }

  private void perform(Service service) {
    switch (service) {
      case FETCH -> engine.fetch();
      case HANDLE -> engine.handle();
      case SETTLE -> engine.settle();
      case EXTEND -> engine.extendLeases();
      case SWEEP -> engine.sweep();
      case STOP -> {
        cluster.model.note(process.name + " stops");
        engine.stop();
        process.die();
      }
    }
  }

  void pauseUntil(long nanos) {
    pausedUntil = Math.max(pausedUntil, nanos);
  }

  boolean isPaused() {
    return cluster.time.nanos() < pausedUntil;
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
