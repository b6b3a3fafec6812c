package dev.mailroom.internal.engine;

import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;

/** Registers a lease that the store has granted and puts its messages into the work buffer. */
final class LeaseDispatcher {
  private final ChannelSpec spec;
  private final EngineContext context;
  private final WorkSplitter splitter;
  private final WorkBuffer buffer;
  private final HeldLeases heldLeases;
  private final Runnable workAdded;

  LeaseDispatcher(
      ChannelSpec spec,
      EngineContext context,
      WorkBuffer buffer,
      HeldLeases heldLeases,
      Runnable workAdded) {
    this.spec = spec;
    this.context = context;
    this.splitter = new WorkSplitter(spec);
    this.buffer = buffer;
    this.heldLeases = heldLeases;
    this.workAdded = workAdded;
  }

  /** Wakes a worker if items are buffered: no thread could be started when they were added. */
  void wakeWorkers() {
    if (!buffer.isEmpty()) {
      workAdded.run();
    }
  }

  /**
   * Buffers the messages of a lease for the workers.
   *
   * @param before the monotonic time before the call to the store
   */
  void dispatch(Lease lease, long before) {
    int count = lease.messages().size();
    Duration duration = spec.options().leasing().duration();
    HeldLease held = new HeldLease(lease.token(), lease.leasedAt(), count, before, duration);
    heldLeases.add(held);
    buffer.addAll(splitter.split(held, lease.messages()));
    workAdded.run();
    context.telemetry().count(Telemetry.Counter.LEASED, spec.tags(), count);
    context.telemetry().measure(Telemetry.Measure.BATCH_SIZE, spec.tags(), count);
    context.telemetry().measure(Telemetry.Measure.BUFFERED, spec.tags(), buffer.messages());
  }
}
