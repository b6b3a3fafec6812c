package dev.mailroom.internal.engine;

import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;

/** Takes over what the store has leased to this process: it is kept account of, and worked on. */
final class Intake {
  private final ChannelSpec spec;
  private final EngineContext context;
  private final WorkSplitter splitter;
  private final WorkBuffer buffer;
  private final LeaseBook book;
  private final Runnable workAdded;

  Intake(
      ChannelSpec spec,
      EngineContext context,
      WorkBuffer buffer,
      LeaseBook book,
      Runnable workAdded) {
    this.spec = spec;
    this.context = context;
    this.splitter = new WorkSplitter(spec);
    this.buffer = buffer;
    this.book = book;
    this.workAdded = workAdded;
  }

  /** Reminds the workers of what waits for them, in case none could be started when it came. */
  void remind() {
    if (!buffer.isEmpty()) {
      workAdded.run();
    }
  }

  /**
   * Hands a lease to the workers.
   *
   * @param before the monotonic time before the store was asked
   */
  void add(Lease lease, long before) {
    int count = lease.messages().size();
    Duration duration = spec.options().leasing().duration();
    HeldLease held = new HeldLease(lease.token(), lease.leasedAt(), count, before, duration);
    book.add(held);
    buffer.addAll(splitter.split(held, lease.messages()));
    workAdded.run();
    context.telemetry().count(Telemetry.Counter.LEASED, spec.tags(), count);
    context.telemetry().measure(Telemetry.Measure.BATCH_SIZE, spec.tags(), count);
    context.telemetry().measure(Telemetry.Measure.BUFFERED, spec.tags(), buffer.messages());
  }
}
